// What an agent, a page of another site or a stranger tries against a daemon that runs.
// A row is {name, act, want}; docs/threat-model.md names the groups. To add an attack: a row in attacks/<noun>.mjs.
import { rows as bodies } from './attacks/bodies.mjs';
import { rows as credentials } from './attacks/credentials.mjs';
import { rows as ends } from './attacks/ends.mjs';
import { rows as files } from './attacks/files.mjs';
import { rows as grants } from './attacks/grants.mjs';
import { rows as hooks } from './attacks/hooks.mjs';
import { rows as ids } from './attacks/ids.mjs';
import { rows as pages } from './attacks/pages.mjs';
import { rows as parents } from './attacks/parents.mjs';
import { rows as requests } from './attacks/requests.mjs';
import { rows as secrets } from './attacks/secrets.mjs';
import { rows as session } from './attacks/session.mjs';
import { rows as socket } from './attacks/socket.mjs';
import { rows as swaps } from './attacks/swaps.mjs';
import { rows as together } from './attacks/together.mjs';

export const groups = {
  'self-approval by session id': session,
  'self-approval by uid and socket': socket,
  'pages of another site': pages,
  'links and credentials': credentials,
  'forged parent': parents,
  'forged hook': hooks,
  'hostile requests': requests,
  'hostile bodies': bodies,
  'id enumeration': ids,
  'one end': ends,
  grants,
  'an answer for another call': swaps,
  'an answer for several': together,
  'files and surroundings of the gate': files,
  'secrets, floods and failures': secrets,
};
