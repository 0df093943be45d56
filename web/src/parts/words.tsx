// What the agent says for itself: its reason, its last calls, its last messages. Always labelled as such, always after the
// gate's own reading, because it is the party that wants something.
import type { JSX } from 'preact';
import { thousands } from '../text/time';
import type { Permission } from '../model/types';
import { Moment, VerdictTag } from './basics';
import { Hostile } from './hostile';
import { LongText } from './longtext';

export function AgentWords({ permission }: { permission: Permission }): JSX.Element | null {
  const recent = permission.context?.recent ?? [];
  const messages = permission.context?.messages ?? [];
  if (permission.reason === '' && recent.length === 0 && messages.length === 0) return null;
  return (
    <section class="words" aria-label="the agent's words">
      {permission.reason === '' ? null : (
        <div class="stated">
          <p class="label">The agent says</p>
          {permission.reason.length > 600
            ? <LongText text={permission.reason} manner="prose" label="the agent's reason" />
            : <blockquote><Hostile text={permission.reason} manner="prose" /></blockquote>}
        </div>
      )}
      <div class="folds">
        {recent.length === 0 ? null : (
          <details>
            <summary>{recent.length} recent {recent.length === 1 ? 'call' : 'calls'}</summary>
            <ol class="recent">{recent.map((call, i) => (
              <li key={i}><Moment at={call.at} /><VerdictTag verdict={call.verdict} /><span class="faint">{call.tool}</span><code><Hostile text={call.text} /></code></li>
            ))}</ol>
          </details>
        )}
        {messages.length === 0 ? null : (
          <details>
            <summary>last {messages.length === 1 ? 'message' : `${thousands(messages.length)} messages`}, from the agent's own record</summary>
            <ol class="messages">{messages.map((message, i) => (
              <li key={i}><span class="role"><Hostile text={message.role} /></span><LongText text={message.text} manner="prose" label={`message of ${message.role}`} /></li>
            ))}</ol>
          </details>
        )}
      </div>
    </section>
  );
}
