// The whole call, in the form people read best: a command line, an edit, or a tree of arguments.
// The gate's own reading is beside it: each simple command and what it would do.
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { marksOf } from '../text/pieces';
import type { Effect, Json, Reading, SimpleCommand } from '../model/types';
import { EditView, Unified } from './diff';
import { Hostile } from './hostile';
import { LongText } from './longtext';
import { Tree } from './tree';

interface Props { cwd?: string; tool: string; input: { [name: string]: Json }; reading?: Reading | undefined; effects?: Effect[] | undefined }

export function CallView({ cwd = '', tool, input, reading, effects }: Props): JSX.Element {
  const text = reading?.text ?? (typeof input['command'] === 'string' ? input['command'] : undefined);
  if (text !== undefined && (reading?.text !== undefined || tool === 'Bash'))
    return <><Shell text={text} reading={reading} /><Rest input={input} without={['command']} effects={reading?.commands ? undefined : effects} /></>;
  if (reading?.edits !== undefined && reading.edits.length > 0)
    return <>{reading.edits.map((edit, i) => <EditView key={i} edit={edit} cwd={cwd} />)}<Rest input={input} without={shownByEdits} effects={undefined} /></>;
  if (reading?.patch !== undefined) return <><div class="edit"><Unified text={reading.patch} label="the patch" /></div><Rest input={input} without={['patch', 'input', 'command']} effects={effects} /></>;
  const pair = editIn(input);
  if (pair !== undefined) return <><EditView edit={pair} cwd={cwd} /><Rest input={input} without={shownByEdits} effects={undefined} /></>;
  return <><Tree value={input} /><EffectList effects={effects} /></>;
}

const shownByEdits = ['file_path', 'path', 'old_string', 'new_string', 'content', 'edits', 'notebook_path', 'new_source'];

// An edit that the call itself holds, where the gate gave no reading of it.
function editIn(input: { [name: string]: Json }): { path: string; before: string | null; after: string } | undefined {
  const path = input['file_path'] ?? input['path'];
  const before = input['old_string'], after = input['new_string'];
  if (typeof path === 'string' && typeof before === 'string' && typeof after === 'string') return { path, before, after };
  return undefined;
}

// Whatever the call has besides: nothing of it stays unseen.
function Rest({ input, without, effects }: { input: { [name: string]: Json }; without: string[]; effects: Effect[] | undefined }): JSX.Element | null {
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !without.includes(name)));
  if (Object.keys(rest).length === 0 && effects === undefined) return null;
  return <>{Object.keys(rest).length === 0 ? null : <div class="rest"><Tree value={rest} /></div>}<EffectList effects={effects} /></>;
}

function Shell({ text, reading }: { text: string; reading: Reading | undefined }): JSX.Element {
  const [lit, setLit] = useState<number | undefined>(undefined);
  const commands = reading?.commands ?? [];
  const marks = useMemo(() => marksOf(commands.map((each) => each.span), reading?.deciding ?? []), [reading]);
  return (
    <div class="shell">
      <LongText text={text} marks={marks} label="the command" onCommand={setLit} lit={lit} class="call-text" />
      {commands.length === 0 ? null : <Commands text={text} commands={commands} more={reading?.more ?? 0} deciding={reading?.deciding ?? []} lit={lit} onLit={setLit} />}
    </div>
  );
}

// LIMIT: of thousands of commands the first are listed until the reader wants all; the text above has every one.
const mostCommands = 40;

function Commands({ text, commands, more, deciding, lit, onLit }: { text: string; commands: SimpleCommand[]; more: number; deciding: [number, number][]; lit: number | undefined; onLit: (i: number | undefined) => void }): JSX.Element {
  const [all, setAll] = useState(false);
  const decides = (command: SimpleCommand): boolean => deciding.some(([begin, end]) => begin < command.span[1] && end > command.span[0]);
  const shown = all ? commands : commands.slice(0, mostCommands);
  return (
    <ol class="commands" aria-label="what it would do">
      {shown.map((command, i) => (
        <li key={i} class={`${decides(command) ? 'decides' : ''} ${lit === i ? 'lit' : ''}`} onMouseEnter={() => onLit(i)} onMouseLeave={() => onLit(undefined)}>
          <code class="program"><Hostile text={brief(command, text)} /></code>
          {decides(command) ? <span class="tag ask">decides</span> : null}
          {command.known === false ? <span class="tag" title="The gate does not know everything that this program can do.">may do more</span> : null}
          <span class="effects">{(command.effects ?? []).map((effect, k) => <EffectWord key={k} text={effect} />)}{command.more ? <span class="faint">and {command.more} more</span> : null}</span>
        </li>
      ))}
      {commands.length > shown.length ? <li><button type="button" class="plain" onClick={() => setAll(true)}>{commands.length - shown.length} more commands</button></li> : null}
      {more > 0 ? <li class="faint">and {more} more, in the text above only</li> : null}
    </ol>
  );
}

// The command by its first words; the text above has it whole.
function brief(command: SimpleCommand, text: string): string {
  const words = command.argv ?? [text.slice(command.span[0], command.span[1])];
  const line = words.join(' ');
  return line.length > 56 ? `${line.slice(0, 55)}…` : line;
}

const strong = new Set(['write', 'delete', 'create', 'rename', 'reach', 'unknown', 'mode', 'link']);

function EffectWord({ text }: { text: string }): JSX.Element {
  const space = text.indexOf(' ');
  const kind = space < 0 ? text : text.slice(0, space);
  return <span class={`effect ${strong.has(kind) ? 'strong' : ''} effect-${kind}`}><b>{kind}</b>{space < 0 ? null : <> <Hostile text={text.slice(space + 1)} /></>}</span>;
}

export function EffectList({ effects }: { effects: Effect[] | undefined }): JSX.Element | null {
  const told = (effects ?? []).filter((effect) => effect.kind !== 'run' && effect.kind !== 'mcp' && effect.kind !== 'person');
  if (told.length === 0) return null;
  return (
    <p class="effects alone" aria-label="what it would do">
      {told.slice(0, mostCommands).map((effect, i) => <EffectWord key={i} text={`${effect.kind} ${effect.path ?? effect.url ?? effect.host ?? effect.target ?? effect.why ?? ''}`} />)}
      {told.length > mostCommands ? <span class="faint">and {told.length - mostCommands} more</span> : null}
    </p>
  );
}
