import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, startChild } from '../process/child.ts'
import { keepRunning, type Patience, type Supervision } from '../process/supervision.ts'
import { repositoryRoot } from '../repository.ts'

type Options = {
  env: NodeJS.ProcessEnv
  logDir: string
  onLine?: ((name: string, line: string) => void) | undefined
  supervision: Supervision | undefined
}

/** The processes of one site: started one by one, and from `keepAll` on started again when they crash. */
export function createSiteProcesses({ env, logDir, onLine, supervision }: Options) {
  const pids: Record<string, number> = {}
  const keepers: (() => void)[] = []

  /** Starts a Node program. `stop` ends it, or whatever has taken its place by then. */
  function run(name: string, args: string[], patience: Patience): { child: Child; stop(): Promise<void> } {
    const start = () =>
      startChild({
        name,
        args,
        env,
        cwd: repositoryRoot,
        logFile: join(logDir, `${name.toLowerCase().replaceAll(' ', '-')}.log`),
        ...(onLine ? { onLine: (line: string) => onLine(name, line) } : {}),
      })
    const child = start()
    pids[name] = child.pid
    supervision?.onStart(child)
    let stop = child.stop
    keepers.push(() => {
      if (supervision) stop = keepRunning(start, patience, supervision, child)
    })
    return { child, stop: () => stop() }
  }

  return {
    run,
    pids,
    /** From now on what ends is started again. Before that it never came up, and would not the second time. */
    keepAll() {
      for (const keep of keepers) keep()
    },
  }
}

/** The programs of the API: as built, or its sources. Throws when they are not there. */
export function apiScripts(fromSources: boolean) {
  const folder = join(repositoryRoot, fromSources ? 'apps/api/src' : 'apps/api/dist')
  const ending = fromSources ? 'ts' : 'js'
  const script = (name: string) => join(folder, `${name}.${ending}`)
  const scripts = { api: script('main'), worker: script('worker'), payments: script('commands/payments') }
  const missing = Object.values(scripts).find((path) => !existsSync(path))
  if (missing) throw new Error(`${missing} is missing. Run 'npx --yes pnpm@12 build' first.`)
  return scripts
}
