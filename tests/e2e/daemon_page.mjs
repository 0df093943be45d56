// Claude Code asks, and a person answers in a browser: the real client, the real page, a click.
// Skipped where the browser or its driver is not there; the driver is the one of tests/page.
import { missing, openBrowser, openDevice } from '../page/lib/browser.mjs';
import { overHttp } from './daemon_claude.mjs';

const touch = (name) => (tools) => [tools.shell(`touch ${name}`)];
const silent = { rules: {} };

// The page of whoever started the daemon, logged in by a link. It has to find no fault with itself.
const onPage = (act) => async (scene) => {
  const { gate } = scene;
  const browser = await openBrowser();
  try {
    const page = await openDevice(browser, { url: gate.url });
    await page.goto((await gate.api('POST', 'links', {})).login);
    await page.getByRole('heading', { name: 'Questions' }).waitFor();
    const { permissionId } = await gate.question();
    const card = page.locator(`#card-${permissionId}`);
    await card.getByText('touch marker').first().waitFor();
    await act(card);
    await card.getByText('delivered', { exact: false }).last().waitFor();
    if (page.complaints.length > 0) throw new Error(`the page complains: ${page.complaints.join('\n')}`);
  } finally {
    await browser.close();
  }
};

const cases = [
  { name: 'a question that is allowed on the page runs', policy: silent, calls: touch('marker'),
    people: onPage((card) => card.getByRole('button', { name: 'Allow once' }).click()),
    want: { ran: ['marker'], asked: 1 } },
  { name: 'a question that is denied on the page does not, and the model sees the reason', policy: silent, calls: touch('marker'),
    people: onPage(async (card) => {
      await card.getByRole('button', { name: 'Deny' }).click();
      await card.getByLabel('Reason', { exact: false }).fill('not from the browser');
      await card.locator('form').getByRole('button', { name: 'Deny' }).click();
    }),
    want: { refused: ['marker'], told: ['not from the browser'], asked: 1 } },
];

export const pageCases = cases.map((case_) => ({ client: 'claude', prepare: overHttp({}), lacks: missing, ...case_ }));
