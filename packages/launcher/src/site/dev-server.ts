import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Child, type ChildOptions, startChild } from '../process/child.ts'
import { repositoryRoot } from '../process/repository.ts'

const dirs = {
  web: join(repositoryRoot, 'apps/web'),
  desk: join(repositoryRoot, 'apps/desk'),
  examples: join(repositoryRoot, 'packages/widget/examples'),
}

type DevServerOptions = Pick<ChildOptions, 'logFile' | 'onLine'> & {
  name: keyof typeof dirs
  port: number
  /** The site whose API the pages use. */
  site: { url: string; publicKey: string }
}

/** Starts Vite on the sources of the web app, of the desk, or on the widget's examples. */
export function startDevServer({ name, port, site, ...output }: DevServerOptions): Child {
  const dir = dirs[name]
  return startChild({
    name,
    args: [viteOf(dir), '--port', String(port), '--strictPort'],
    cwd: dir,
    env: { ...process.env, TIDINGS_API_URL: site.url, APP_PUBLIC_KEY: site.publicKey },
    ...output,
  })
}

/** Returns the command of the Vite that a folder's package depends on. */
function viteOf(dir: string): string {
  const manifest = createRequire(join(dir, 'package.json')).resolve('vite/package.json')
  return join(dirname(manifest), 'bin/vite.js')
}
