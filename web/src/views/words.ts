// What modes and answerers mean, in a few words each. The meanings are the policy language's.
export const modes: [string, string][] = [
  ['plan', 'only reads; everything else is denied'],
  ['dontAsk', 'what a rule allows; nobody is asked, the rest is denied'],
  ['default', 'reads and what a rule allows; the rest asks'],
  ['acceptEdits', 'also edits in the workspace'],
  ['autonomous', 'everything that no rule denies or asks about'],
];
export const answerers: [string, string][] = [
  ['ask', 'people'], ['forward', 'the policy above'], ['parent', 'the agent above'], ['no', 'nobody: deny'], ['yes', 'nobody: allow'],
];
