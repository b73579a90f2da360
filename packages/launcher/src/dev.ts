import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { launch } from './launch.ts'
import { startChild } from './process/child.ts'
import { runTurbo } from './process/turbo.ts'
import { repositoryRoot } from './repository.ts'
import { portFrom } from './site/settings.ts'

const webDir = join(repositoryRoot, 'apps/web')

function webPort() {
  return portFrom('WEB_PORT', 5173)
}

await launch({
  command: 'dev',
  ports: () => [{ setting: 'WEB_PORT', port: webPort(), purpose: 'the web app' }],
  async prepare(progress, signal) {
    await progress.step('Generating the database client', async () => {
      const { succeeded, output } = await runTurbo(['generate'], { signal })
      if (!succeeded) throw new Error(`The database client could not be generated:\n${output.trim()}`)
    })
  },
  site: { watch: true, onLine: (name, line) => console.log(`${name.padEnd(6)} | ${line}`) },
  async add(site, record) {
    const vite = join(
      dirname(createRequire(join(webDir, 'package.json')).resolve('vite/package.json')),
      'bin/vite.js',
    )
    const port = webPort()
    const child = startChild({
      name: 'web',
      args: [vite, '--port', String(port), '--strictPort'],
      cwd: webDir,
      env: { ...process.env, TIDINGS_API_URL: site.url },
      logFile: join(site.logDir, 'web.log'),
      onLine: (line) => console.log(`web    | ${line}`),
    })
    await record.add('web', child.pid)
    return { rows: [['Site with reload', `http://localhost:${port}`]], stop: child.stop }
  },
})
