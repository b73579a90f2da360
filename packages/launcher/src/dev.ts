import { join } from 'node:path'
import { launch } from './launch.ts'
import type { Child } from './process/child.ts'
import { runTurbo } from './process/turbo.ts'
import { startDevServer } from './site/dev-server.ts'
import { portFrom } from './site/settings.ts'

const devServers = [
  {
    name: 'web',
    setting: 'WEB_PORT',
    fallback: 5173,
    purpose: 'the web app',
    title: 'Site with reload',
  },
  {
    name: 'examples',
    setting: 'EXAMPLES_PORT',
    fallback: 5174,
    purpose: "the widget's examples",
    title: 'Widget examples',
  },
  {
    name: 'desk',
    setting: 'DESK_PORT',
    fallback: 5175,
    purpose: 'the desk',
    title: 'Desk with reload',
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
    const children: Child[] = []
    for (const { name, setting, fallback, title } of devServers) {
      const port = portFrom(setting, fallback)
      const logFile = join(site.logDir, `${name}.log`)
      const onLine = (line: string) => console.log(`${name.padEnd(6)} | ${line}`)
      const child = startDevServer({ name, port, site, logFile, onLine })
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
