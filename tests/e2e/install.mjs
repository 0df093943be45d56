// Registers the hook as a person does it: `tollgate install`, in the client's own settings, with programs that are one
// case's alone; or as a plugin in a directory. Gives the directory of the programs.
import fs from 'node:fs';

export async function install(client, world, { bin, env, plugin }) {
  const own = `${world.dir}/bin`;
  fs.mkdirSync(own);
  for (const name of ['tollgate', 'tollgate-hook']) fs.copyFileSync(`${bin}/${name}`, `${own}/${name}`);
  client.settle?.(world);
  const { status, out, err } = await world.run(`${own}/tollgate`,
    ['install', client.name, '--config', world.policy, '--data', world.data, '--yes',
      ...(plugin ? ['--plugin', plugin] : [])], { env: world.environment(env) });
  if (status !== 0) throw new Error(`tollgate install ${client.name}: status ${status}\n${out}${err}`);
  return own;
}
