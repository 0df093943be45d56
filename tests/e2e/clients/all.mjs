// The clients, and where their programs lie.
import { claude } from './claude.mjs';
import { codex } from './codex.mjs';
import { copilot } from './copilot.mjs';
import { gemini } from './gemini.mjs';
import { opencode } from './opencode.mjs';

export const known = [claude, codex, copilot, gemini, opencode];

export const programOf = ({ name, program }, { clients }) => `${clients}/node_modules/${program ?? `.bin/${name}`}`;
