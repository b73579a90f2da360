import { readdir, readFile, readlink } from 'node:fs/promises'
import { isPortFree } from './free-port.ts'
import { findProcessFacts } from './process-facts.ts'

/** A port that the start needs, and the setting that chooses it. */
export type RequiredPort = {
  setting: 'PORT' | 'SANDBOX_PORT' | 'WEB_PORT' | 'EXAMPLES_PORT' | 'DESK_PORT'
  port: number
  purpose: string
}

/** Throws unless all ports are free. The message names the program on a port and how to choose another one. */
export async function requireFreePorts(ports: RequiredPort[], command: 'start' | 'dev') {
  const errors: string[] = []
  for (const [index, { setting, port }] of ports.entries()) {
    const same = ports.slice(index + 1).find((other) => other.port === port && port !== 0)
    if (same) throw new Error(`${setting} and ${same.setting} are both ${port}. Choose different ports.`)
  }
  for (const { setting, port, purpose } of ports) {
    if (port === 0 || (await isFreeEverywhere(port))) continue
    const listener = await findListener(port)
    const free = await nextFree(port)
    errors.push(
      `Port ${port}, for ${purpose}, is taken${listener ? ` by ${listener}` : ''}. Stop that program, or choose another port: ` +
        `${setting}=${free} npx --yes pnpm@12 ${command}`,
    )
  }
  if (errors.length > 0) throw new Error(errors.join('\n'))
}

/** Returns whether a port is free on every address, because `localhost` may mean any of them. */
async function isFreeEverywhere(port: number) {
  // Checked one by one, because concurrent checks would conflict with each other.
  for (const host of ['127.0.0.1', '0.0.0.0', '::1']) {
    if (!(await isPortFree(port, host))) return false
  }
  return true
}

async function nextFree(port: number) {
  for (let next = port + 100; next < 65_536; next += 1) {
    if (await isFreeEverywhere(next)) return next
  }
  return 0
}

/** Returns the program that listens on a port, where the system shows it. */
async function findListener(port: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  )
  const listening = '0A'
  const inodes = tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
      return inode && state === listening && local?.endsWith(suffix) ? [`socket:[${inode}]`] : []
    }),
  )
  if (inodes.length === 0) return undefined
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
    if (!links.some((link) => inodes.includes(link))) continue
    const command = (await findProcessFacts(Number(pid)))?.command.slice(0, 80)
    return `process ${pid}${command ? ` (${command})` : ''}`
  }
  return undefined
}
