// Where the peers are, by tests/notify/package-lock.json.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const installed = process.env.TOLLGATE_NOTIFY_TESTS ?? `${root}/build/notify-tests`;
export const missing = () => (fs.existsSync(`${installed}/node_modules/http_ece`) ? undefined : 'http_ece is not installed: ./dev test brings it');
