import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, startChild } from '../process/child.ts'
import { repositoryRoot } from '../process/repository.ts'
import { keepRunning, type RestartPolicy, type Supervision } from '../process/supervision.ts'

type Options = {
  env: NodeJS.ProcessEnv
  logDir: string
  onLine?: ((name: string, line: string) => void) | undefined
  supervision: Supervision | undefined
}

/** Starts the processes of a site. After `superviseAll` they restart when they crash. */
export function createSiteProcesses({ env, logDir, onLine, supervision }: Options) {
  const pids: Record<string, number> = {}
  const supervisors: (() => void)[] = []

  /** Starts a Node program. `stop` ends it or the process that has replaced it. */
  function run(name: string, args: string[], policy: RestartPolicy): { child: Child; stop(): Promise<void> } {
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
    supervisors.push(() => {
      if (supervision) stop = keepRunning(start, policy, supervision, child)
    })
    return { child, stop: () => stop() }
  }

  return {
    run,
    pids,
    /** Restarts crashed processes from now on. A process that fails before that would fail again. */
    superviseAll() {
      for (const supervise of supervisors) supervise()
    },
  }
}

/** Returns the programs of the API, built or as sources. Throws when one is missing. */
export function apiScripts(fromSources: boolean) {
  const folder = join(repositoryRoot, fromSources ? 'apps/api/src' : 'apps/api/dist')
  const ending = fromSources ? 'ts' : 'js'
  const script = (name: string) => join(folder, `${name}.${ending}`)
  const scripts = { api: script('main'), worker: script('worker'), tidings: script('commands/tidings') }
  const missing = Object.values(scripts).find((path) => !existsSync(path))
  if (missing) throw new Error(`${missing} is missing. Run 'npx --yes pnpm@12 build' first.`)
  return scripts
}
