import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { launch } from './launch.ts'
import { startChild } from './process/child.ts'
import { runTurbo } from './process/turbo.ts'
import { repositoryRoot } from './repository.ts'
import { portFrom } from './site/settings.ts'

const devServers = [
  {
    name: 'web',
    setting: 'WEB_PORT',
    fallback: 5173,
    dir: join(repositoryRoot, 'apps/web'),
    purpose: 'the web app',
    title: 'Site with reload',
  },
  {
    name: 'examples',
    setting: 'EXAMPLES_PORT',
    fallback: 5174,
    dir: join(repositoryRoot, 'packages/widget/examples'),
    purpose: "the widget's examples",
    title: 'Widget examples',
  },
] as const

await launch({
  command: 'dev',
  ports: () =>
    devServers.map(({ setting, fallback, purpose }) => {
      return { setting, port: portFrom(setting, fallback), purpose }
    }),
  async prepare(progress, signal) {
    await progress.step('Generating the database client', async () => {
      const { succeeded, output } = await runTurbo(['generate'], { signal })
      if (!succeeded) throw new Error(`The database client could not be generated:\n${output.trim()}`)
    })
  },
  site: { watch: true, onLine: (name, line) => console.log(`${name.padEnd(6)} | ${line}`) },
  async add(site, record) {
    const rows: [string, string][] = []
    const children: ReturnType<typeof startChild>[] = []
    for (const { name, setting, fallback, dir, title } of devServers) {
      const port = portFrom(setting, fallback)
      const child = startChild({
        name,
        args: [viteOf(dir), '--port', String(port), '--strictPort'],
        cwd: dir,
        env: { ...process.env, TIDINGS_API_URL: site.url, APP_PUBLIC_KEY: site.publicKey },
        logFile: join(site.logDir, `${name}.log`),
        onLine: (line) => console.log(`${name.padEnd(6)} | ${line}`),
      })
      children.push(child)
      await record.add(name, child.pid)
      rows.push([title, `http://localhost:${port}`])
    }
    return {
      rows,
      async stop() {
        await Promise.all(children.map((child) => child.stop()))
      },
    }
  },
})

/** Returns the command of the Vite that a folder's package depends on. */
function viteOf(dir: string): string {
  const manifest = createRequire(join(dir, 'package.json')).resolve('vite/package.json')
  return join(dirname(manifest), 'bin/vite.js')
}
