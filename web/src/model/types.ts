// What the daemon sends, as docs/http.md has it. Types only.
// Whatever comes from an agent (toolInput, reason, context, paths) is hostile text: show it by parts/hostile alone.

export type Verdict = 'allow' | 'ask' | 'deny';
export type State = 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Span = [begin: number, end: number];

export interface Problem { code: string; message: string; hint: string; where?: string }

export interface Ground { kind: string; rule: string; source: string; text: string; verdict?: Verdict }

export interface Decision {
  verdict: Verdict;
  reasons: Ground[];
  also?: Ground[];
  suggestions?: string[];
  approve?: string;
  quorums?: { any: number; of?: string[]; deny: number; or_else?: boolean }[];
  within_ms?: number;
}

export interface SimpleCommand { span: Span; argv?: string[]; known?: boolean; effects?: string[]; more?: number }
export interface Edit { path: string; before: string | null; after: string; whole?: boolean }

// Of a shell call `text` and its parts, of an edit the pairs.
export interface Reading { text?: string; commands?: SimpleCommand[]; deciding?: Span[]; edits?: Edit[]; patch?: string; more?: number }

export interface Effect {
  kind: string; path?: string; host?: string; url?: string; target?: string; why?: string;
  argv?: { text: string }[]; recursive?: boolean; owner?: number;
}

export interface Vote { person: string; allow: boolean; reason: string; via: string; at: string; key?: string | null }
export interface Threshold { name: string; any: number; of: string[]; agreed: string[]; missing: number; opensAt: string | null; until: string | null; useMs: number }
export interface Quorum { rules: { met: boolean; thresholds: Threshold[] }[]; against: string[]; denials: number }
export interface Answer {
  by: string; reason: string; scope: string; at: string; rule?: string; grant?: string; updatedInput?: Json; reply?: Json;
}
export interface RecentCall { at: number | string; tool: string; text: string; verdict: Verdict }
export interface Message { role: string; text: string }

export interface Permission {
  permissionId: string;
  type: 'permission' | 'escalation';
  state: State;
  sessionId: string;
  agent: string;
  chain: string[];
  provider: string;
  toolName: string;
  nativeTool: string;
  toolInput?: { [name: string]: Json };
  summary?: string;
  summaryMore?: number;
  callId: string;
  cwd: string;
  effects?: Effect[];
  decision: Decision;
  reading?: Reading;
  why?: Ground[];
  teachable?: string[];
  breaker?: boolean;
  group?: string;
  reason: string;
  context?: { recent?: RecentCall[]; messages?: Message[] | null };
  digest: string;
  createdAt: string;
  expiresAt: string | null;
  seen?: boolean;
  seenAt: string | null;
  goneAt: string | null;
  deliveredAt: string | null;
  votes: Vote[];
  quorum?: Quorum;
  answer: Answer | null;
  policy?: { file: string; difference?: string; error?: Problem };
}

export interface Session {
  id: string; handle: string; agent: string; parent: string | null; provider: string; cwd: string; roots: string[];
  mode: string | null; answer: string | null; frozen: boolean; state: 'running' | 'waiting' | 'idle' | 'ended' | 'frozen';
  madeBy: string; childType: string; createdAt: string; expiresAt: string | null; seenAt: string | null; endedAt: string | null;
}

export interface Me {
  name: string; person: string; roles: string[]; approver: boolean; operator: boolean; device: string; key?: string;
  expiresAt?: string | null; selfApproval?: { prevented: boolean; why: string };
}

export interface AuditRow {
  number: number; at: string; kind: string; session: string; agent: string; tool: string; verdict: string; rule: string;
  question: string; by: string; origin: string; record: { [name: string]: Json }; explanation?: string; reading?: Reading;
}

export interface Grant {
  id: string; rule: string; scope: string; session: string; agent: string; root: string; author: string; question: string;
  state: 'active' | 'expired' | 'revoked'; createdAt: string; expiresAt: string | null; revokedAt: string | null; revokedBy: string;
}

export interface Agent {
  name: string; provider: string; path: string; roots: string[]; role: string; preset: string; mode: string; modeFrom: string;
  answer: string; permissionTimeoutMs: number; tools: string;
}
export type List = 'allow' | 'ask' | 'deny';
export interface Rule { rule: string; source: string; from: string; reason?: string; editable?: boolean }
export interface Policy { agent: Agent; rules: Record<List, Rule[]>; file?: string }
export interface RoleOrPreset {
  name: string; builtIn?: boolean; extends?: string | string[] | null; allowedTools?: string[] | null; disallowedTools?: string[] | null; mode?: string | null;
  rules?: { list: List; rule: string }[]; blockedCommands?: string[] | null; network?: boolean;
}

export interface Preview {
  rule: string; root: string; covers: number; of: number;
  examples: { number: number; at: number | string; verdict: Verdict; tool: string; input: { [name: string]: Json } }[];
}

export interface Insight {
  days: { day: string; calls: number; asked: number; approved: number; denied: number; expired: number }[];
  rules: { rule: string; source: string; asked: number; approved: number; denied: number; medianMs: number | null }[];
  answer: { count?: number; p50Ms: number | null; p90Ms: number | null; underSecond: number | null; histogram: { upToMs: number | null; count: number }[] };
  candidates: { rule: string; calls: number; agents: string[] | number; note: string }[];
  since?: string; complete?: boolean;
}

export interface Device {
  name: string; person: string; device?: string; operator?: boolean; createdAt: string; expiresAt: string | null;
  lastSeenAt?: string | null; revokedAt?: string | null; current?: boolean; push?: boolean;
}

export interface NoticeTarget {
  name: string; type: string; state: 'ready' | 'unusable'; afterMs: number; answers: boolean; delivered: number; failed: number; lastAt: string | null; why?: string;
}

export interface Settings { listen: string; publicUrl: string; permissionTimeoutMs: number; retentionMs: number; errors: Problem[] }
