// How a device comes to trust the authority that signed the gate's certificate. For anybody, before any login.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { askCertificate, type Certificate, type CertificateFacts } from '../model/connection';
import type { Problem } from '../model/types';
import { Busy, ErrorNote } from '../parts/basics';
import { Digest } from '../parts/digest';
import { Hostile } from '../parts/hostile';

export function Trust(): JSX.Element {
  const [value, setValue] = useState<Certificate | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  useEffect(() => { void askCertificate().then((answered) => { if (answered.ok) setValue(answered.value); else setProblem(answered.problem); }); }, []);
  return (
    <main class="login trust" id="main">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h1>Trust this gate</h1>
      {problem ? <ErrorNote problem={problem} /> : value === undefined ? <Busy what="asking the gate" /> : value.authority === null ? <None value={value} /> : <Steps authority={value.authority} />}
      <p><button type="button" class="quiet" onClick={() => history.back()}>Back</button></p>
    </main>
  );
}

const None = ({ value }: { value: Certificate }): JSX.Element => value.certificate === null
  ? <p>This gate has no certificate: its connection is not encrypted by itself. On its machine <code>tollgate pair --certificate</code> makes one. Behind a proxy, the certificate is the proxy’s.</p>
  : <p>The gate’s certificate was signed by an authority that it does not hand out. A public one is trusted already; any other comes from whoever made it.</p>;

function Steps({ authority }: { authority: CertificateFacts }): JSX.Element {
  return (
    <>
      <p>Its certificate was signed by an authority of its own machine, which may vouch for that machine and private networks only. Notices, opening offline and installing the page work once this device trusts it.</p>
      <p>First compare this SHA-256 with what <code>tollgate pair</code> shows in the terminal:</p>
      <p><Digest sha256={authority.sha256} /></p>
      <p><a href="/ca.crt" download="tollgate-ca.crt">Get the authority’s certificate</a></p>
      <p class="faint"><Hostile text={authority.subject} manner="prose" />{authority.expiresAt === null ? null : <>, until <time dateTime={authority.expiresAt}>{authority.expiresAt.slice(0, 10)}</time></>}</p>
      <h2>iPhone and iPad</h2>
      <ol>
        <li>Open this page in Safari, <a href="/ca.crt">open the certificate</a> and allow the download of the profile.</li>
        <li>Settings, General, VPN &amp; Device Management: install the profile “Tollgate on …”.</li>
        <li>Settings, General, About, Certificate Trust Settings: switch full trust on for it.</li>
        <li>For notices: Share, Add to Home Screen, and open the page from there.</li>
      </ol>
      <h2>Android</h2>
      <ol>
        <li>Get the certificate above.</li>
        <li>Settings, search for “CA certificate” (Security, Encryption &amp; credentials, Install a certificate), choose the file.</li>
        <li>Chrome trusts it at once. Firefox needs Settings, About Firefox, five taps on the logo, then Secret Settings, Use third party CA certificates.</li>
      </ol>
      <h2>A computer</h2>
      <p>Import it as an authority for websites: in Firefox and Chromium under Settings, Certificates; on macOS in Keychain Access; on Debian as a file in <code>/usr/local/share/ca-certificates</code>, then <code>update-ca-certificates</code>.</p>
    </>
  );
}
