import { appendFile, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryRoot } from '@tidings/launcher/repository'
import { runCommand } from '@tidings/launcher/run-command'
import type { Lifetime } from '../programs/lifetime.ts'

/** A checkout with a Compose project of its own, in place of a machine. */
export type Machine = {
  name: string
  folder: string
  /** Runs shell commands in the checkout and returns their output. Rejects with it when they fail. */
  sh(commands: string, env?: Record<string, string>): Promise<string>
  /** Adds lines to `.env`. */
  addSettings(lines: readonly string[]): Promise<void>
  /** Ends all containers; `volumes` deletes the data too. */
  end(options?: { volumes: boolean }): Promise<void>
}

/** Makes a machine with a checkout of a commit. */
export async function createMachine(
  lifetime: Lifetime,
  { name, folder, commit }: { name: string; folder: string; commit: string },
): Promise<Machine> {
  await mkdir(folder, { recursive: true })
  const checkout = join(folder, name)
  const sh = async (commands: string, env: Record<string, string> = {}, cwd = checkout) => {
    const { code, stdout, stderr } = await runCommand('bash', ['-euc', commands], {
      cwd,
      env: { ...withoutCompose(process.env), COMPOSE_PROJECT_NAME: `tidings-${name}`, ...env },
    })
    if (code !== 0)
      throw new Error(
        `${name}: ${commands.trim()}\nended with ${code}:\n${`${stdout}\n${stderr}`.slice(-3_000)}`,
      )
    return stdout
  }
  // A branch that `git pull` can move from this commit to the newest one.
  await sh(
    `git clone --quiet "${repositoryRoot}" "${name}" && cd "${name}" && git reset --quiet --hard ${commit}`,
    {},
    folder,
  )
  const machine: Machine = {
    name,
    folder: checkout,
    sh,
    addSettings: (lines) => appendFile(join(checkout, '.env'), lines.map((line) => `${line}\n`).join('')),
    async end({ volumes } = { volumes: false }) {
      await sh(
        `docker compose --profile '*' down --timeout 20 --remove-orphans${volumes ? ' --volumes' : ''}`,
      )
    },
  }
  lifetime.atEnd(() => machine.end({ volumes: true }))
  return machine
}

/** Copies the settings of one machine to another one. */
export async function copySettings(from: Machine, to: Machine): Promise<void> {
  await copyFile(join(from.folder, '.env'), join(to.folder, '.env'))
}

/** The environment without settings that Compose would prefer to those of `.env`. */
function withoutCompose(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(COMPOSE_|SITE_|DATABASE_|POSTGRES_|MEDIA_|PORT$)/.test(name)),
  )
}
