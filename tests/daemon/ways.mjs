// Every way in and every way to an answer, as clients and people use them.
// To add one: a row in ways/<topic>.mjs.
import { rows as asking } from './ways/asking.mjs';
import { rows as chains } from './ways/chains.mjs';
import { rows as copies } from './ways/copies.mjs';
import { rows as hooks } from './ways/hooks.mjs';
import { rows as listening } from './ways/listening.mjs';
import { rows as pairing } from './ways/pairing.mjs';
import { rows as scopes } from './ways/scopes.mjs';
import { rows as several } from './ways/several.mjs';
import { rows as waiting } from './ways/waiting.mjs';

export const groups = { asking, hooks, scopes, several, chains, waiting, listening, pairing, copies };
