import { readdir, readFile, readlink } from 'node:fs/promises'
import { isPortFree } from './free-port.ts'
import { factsOf } from './process-facts.ts'

/** A port that will be needed, and the setting that chooses it. */
export type NeededPort = { setting: 'PORT' | 'SANDBOX_PORT' | 'WEB_PORT'; port: number; purpose: string }

/** Throws, saying who holds which port and how to take another one, unless all of them are free. */
export async function requireFreePorts(ports: NeededPort[], command: 'start' | 'dev') {
  const complaints: string[] = []
  for (const [index, { setting, port }] of ports.entries()) {
    const same = ports.slice(index + 1).find((other) => other.port === port && port !== 0)
    if (same)
      throw new Error(`${setting} and ${same.setting} are both ${port}: each needs a port of its own.`)
  }
  for (const { setting, port, purpose } of ports) {
    if (port === 0 || (await isFreeEverywhere(port))) continue
    const holder = await holderOf(port)
    const free = await nextFree(port)
    complaints.push(
      `Port ${port}, for ${purpose}, is taken${holder ? ` by ${holder}` : ''}. End that program, or choose another port: ` +
        `${setting}=${free} npx --yes pnpm@12 ${command}`,
    )
  }
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
}

/** A browser asks `localhost`, which may mean either address; so both have to be free. */
async function isFreeEverywhere(port: number) {
  // One after the other: tried at once they would get into each other's way.
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

/** Which program listens on a port, where the system lets us see it. */
async function holderOf(port: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  )
  const listening = '0A'
  const inodes = tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
      return inode && state === listening && local?.endsWith(wanted) ? [`socket:[${inode}]`] : []
    }),
  )
  if (inodes.length === 0) return undefined
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
    if (!links.some((link) => inodes.includes(link))) continue
    const command = (await factsOf(Number(pid)))?.command.slice(0, 80)
    return `process ${pid}${command ? ` (${command})` : ''}`
  }
  return undefined
}
