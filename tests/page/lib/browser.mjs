// The browser that the cases drive: Debian's Chromium by playwright-core, one for the whole run.
// A page counts as wrong when it logs an error, breaks its own content policy, or asks any other host for anything.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const installed = process.env.TOLLGATE_PAGE_TESTS ?? `${root}/build/page-tests`;
const require = createRequire(`${installed}/package.json`);

export const program = process.env.TOLLGATE_CHROMIUM ?? '/usr/bin/chromium';
export const missing = () => (!fs.existsSync(`${installed}/node_modules/playwright-core`) ? 'playwright-core is not installed: ./dev test brings it'
  : !fs.existsSync(program) ? `${program} is not installed` : undefined);
export const axeSource = () => fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

// `home` is where the browser keeps what it trusts, `names` are hosts that are this machine to it.
export async function openBrowser({ home, names = [] } = {}) {
  const { chromium } = require('playwright-core');
  const rules = names.length === 0 ? [] : [`--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1`).join(',')}`];
  return chromium.launch({ executablePath: program, args: [...flags, ...rules], chromiumSandbox: false, ...(home === undefined ? {} : { env: { ...process.env, HOME: home } }) });
}

export const wide = { width: 1280, height: 900 };
export const phone = { width: 360, height: 740 };

// A device of its own: cookies, storage and all. `complaints` gathers what must not happen. A careless one goes on past warnings about
// certificates.
export async function openDevice(browser, daemon, { viewport = wide, scheme = 'light', motion = 'reduce', touch = false, careless = false } = {}) {
  const context = await browser.newContext({ viewport, colorScheme: scheme, reducedMotion: motion, hasTouch: touch, isMobile: touch, ignoreHTTPSErrors: careless, locale: 'en-GB', timezoneId: 'UTC' });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => { if (message.type() === 'error' && !isExpected(message.text()) && !(careless && isRefusedWorker(message.text()))) page.complaints.push(`console: ${message.text()}`); });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.host !== new URL(daemon.url).host && !/^(data|blob):/.test(request.url())) page.complaints.push(`a request to ${url.host}`);
  });
  page.on('websocket', (socket) => { if (new URL(socket.url()).host !== new URL(daemon.url).host) page.complaints.push(`a socket to ${socket.url()}`); });
  return page;
}

// The browser itself logs what the page handles: refusals of the gate and a gate that is away.
const isExpected = (text) => /Failed to load resource: the server responded with a status of 4\d\d|net::ERR_CONNECTION_REFUSED|net::ERR_INTERNET_DISCONNECTED|net::ERR_CONNECTION_RESET|WebSocket connection to|net::ERR_EMPTY_RESPONSE|net::ERR_SOCKET_NOT_CONNECTED|net::ERR_INCOMPLETE/.test(text);

// What it logs where it refuses a worker to a page whose certificate it does not trust.
const isRefusedWorker = (text) => /error occurred when fetching the script|SSL certificate error/.test(text);

// Logs a device in by the form, as a person does.
export async function enter(page, daemon, credential) {
  await page.goto(`${daemon.url}/`);
  await page.getByLabel('Link or credential').fill(credential);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Questions' }).waitFor();
}
