import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { repositoryRoot } from '@tidings/launcher/repository'
import type { Lifetime } from '../programs/lifetime.ts'

export const proxyNames = ['haproxy', 'nginx', 'caddy'] as const
export type ProxyName = (typeof proxyNames)[number]

type Example = {
  file: string
  /** The lines for TLS, which a measure leaves out, each with its replacement. */
  withoutTls: (port: number) => readonly (readonly [string, string])[]
  args: (file: string, folder: string) => string[]
  versionArg: string
}

const examples: Record<ProxyName, Example> = {
  haproxy: {
    file: 'haproxy.cfg',
    withoutTls: (port) => [
      [
        'bind :443 ssl crt /etc/haproxy/certs/news.example.com.pem alpn h2,http/1.1',
        `bind 127.0.0.1:${port}`,
      ],
    ],
    args: (file) => ['-db', '-f', file],
    versionArg: '-v',
  },
  nginx: {
    file: 'nginx.conf',
    withoutTls: (port) => [
      ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
      ['ssl_certificate /etc/nginx/certs/news.example.com.pem;', ''],
      ['ssl_certificate_key /etc/nginx/certs/news.example.com.key;', ''],
    ],
    args: (file, folder) => ['-c', file, '-e', 'stderr', '-g', `daemon off; pid ${folder}/nginx.pid;`],
    versionArg: '-v',
  },
  caddy: {
    file: 'Caddyfile',
    withoutTls: (port) => [['news.example.com {', `http://127.0.0.1:${port} {`]],
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    versionArg: 'version',
  },
}

/** Returns whether a proxy is installed. */
export function isInstalled(name: ProxyName): boolean {
  return spawnSync(name, [examples[name].versionArg]).status === 0
}

/** Starts a proxy with its example of `packages/ops`, before API processes on these ports. */
export async function startProxy(
  lifetime: Lifetime,
  name: ProxyName,
  { port, apiPorts: [first, second] }: { port: number; apiPorts: readonly [number, number] },
): Promise<string> {
  const { file, withoutTls, args } = examples[name]
  const folder = await mkdtemp(join(tmpdir(), `tidings-${name}-`))
  // Its processes run as another user.
  await chmod(folder, 0o755)
  lifetime.atEnd(() => rm(folder, { recursive: true, force: true }))
  let config = await readFile(join(repositoryRoot, 'packages/ops/examples', file), 'utf8')
  const replaced = [
    ...withoutTls(port),
    ['10.0.0.11:3000', `127.0.0.1:${first}`],
    ['10.0.0.12:3000', `127.0.0.1:${second}`],
  ] as const
  for (const [from, to] of replaced) {
    if (!config.includes(from)) throw new Error(`${file} has no '${from}'.`)
    config = config.replace(from, to)
  }
  const configFile = join(folder, file)
  await writeFile(configFile, config)
  const child = spawn(name, args(configFile, folder), {
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output = text(child.stderr)
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  lifetime.atEnd(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const failed = exited.then(async () => {
    throw new Error(`${name} ended: ${await output}`)
  })
  await Promise.race([waitForPort(port), failed])
  failed.catch(() => {})
  return `http://127.0.0.1:${port}`
}

async function waitForPort(port: number): Promise<void> {
  while (!(await isOpen(port))) await pause(100)
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
