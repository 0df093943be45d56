// Figures of a month for the picture of Insight: a daemon of a minute has none. Made from the day's number, the same each time.
export function insight(today) {
  const days = [];
  for (let back = 29; back >= 0; --back) {
    const at = new Date(today.getTime() - back * 86_400_000);
    const weekend = at.getUTCDay() % 6 === 0, wave = Math.abs(Math.sin(back * 1.7)), asked = Math.round((weekend ? 3 : 22) * (0.5 + wave) * (back > 12 ? 1.4 : 0.8));
    const denied = Math.round(asked * 0.08 * (1 + wave)), expired = back % 9 === 0 ? 1 : 0;
    days.push({ day: at.toISOString().slice(0, 10), calls: asked * 19 + back, asked, approved: Math.max(0, asked - denied - expired), denied, expired });
  }
  return {
    days,
    rules: [
      { rule: 'Bash(git push *)', source: '/home/olga/.config/tollgate/tollgate.yaml:14:13', asked: 148, approved: 139, denied: 9, medianMs: 6_400 },
      { rule: 'default', source: 'built-in', asked: 131, approved: 118, denied: 13, medianMs: 9_800 },
      { rule: 'Bash(npm publish *)', source: '/home/olga/.config/tollgate/tollgate.yaml:12:13', asked: 22, approved: 17, denied: 5, medianMs: 41_000 },
      { rule: 'Edit(/migrations/**)', source: '/home/olga/.config/tollgate/tollgate.yaml:16:7', asked: 19, approved: 12, denied: 7, medianMs: 73_000 },
    ],
    answer: { count: 320, p50Ms: 7_200, p90Ms: 64_000, underSecond: 0.06, histogram: [[1_000, 19], [3_000, 58], [10_000, 121], [30_000, 71], [120_000, 33], [600_000, 13], [null, 5]].map(([upToMs, count]) => ({ upToMs, count })) },
    candidates: [
      { rule: 'Bash(npm view *)', calls: 41, agents: ['web', 'api'], note: 'allowed 41 times, never denied' },
      { rule: 'Bash(git fetch --prune)', calls: 17, agents: ['api'], note: 'allowed 17 times, never denied' },
    ],
    since: days[0].day, complete: true,
  };
}
