import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@tidings/launcher/free-port'

const repository = path.resolve(import.meta.dirname, '../../..')
const storage = ['account', 'container', 'object'] as const
const keys = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }
const tests = [
  'src/integrations/storage/s3',
  'src/features/media/second-host.integration.test.ts',
  'src/commands/media.integration.test.ts',
]

type Files = { folder: string; ports: Readonly<Record<(typeof storage)[number] | 'proxy', number>> }

/**
 * Runs the tests of the media bucket against OpenStack Swift, as Debian packages it: `apt-get install swift-proxy
 * swift-account swift-container swift-object`. Exits with the result of the tests.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-swift-'))
  const servers: ChildProcess[] = []
  try {
    const [account, container, object, proxy] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ]
    const files: Files = { folder, ports: { account, container, object, proxy } }
    await configure(files)
    for (const name of [...storage, 'proxy'] as const) servers.push(start(folder, name))
    await waitUntilHealthy(`http://127.0.0.1:${proxy}/healthcheck`)
    process.exitCode = await runTests(proxy)
  } finally {
    for (const server of servers) server.kill('SIGTERM')
    await Promise.all(servers.map((server) => server.exitCode ?? once(server, 'close')))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes the configuration of one disk on this machine, with one copy of each object. */
async function configure({ folder, ports }: Files): Promise<void> {
  await mkdir(path.join(folder, 'disks/d1'), { recursive: true })
  const common = (port: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = ${userInfo().username}\nswift_dir = ${folder}\n`
  await writeFile(
    path.join(folder, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_suffix = check\nswift_hash_path_prefix = check\n[storage-policy:0]\nname = one\ndefault = yes\n',
  )
  for (const name of storage) {
    await writeFile(
      path.join(folder, `${name}.conf`),
      `${common(ports[name])}devices = ${folder}/disks\nmount_check = false\ndisable_fallocate = true\n` +
        `[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
    )
    const ring = path.join(folder, `${name}.builder`)
    run('swift-ring-builder', [ring, 'create', '4', '1', '0'])
    run('swift-ring-builder', [ring, 'add', `r1z1-127.0.0.1:${ports[name]}/d1`, '1'])
    run('swift-ring-builder', [ring, 'rebalance'])
  }
  const filters = ['catch_errors', 'gatekeeper', 'healthcheck', 's3api', 'tempauth', 'slo']
  await writeFile(
    path.join(folder, 'proxy.conf'),
    `${common(ports.proxy)}[pipeline:main]\n` +
      'pipeline = catch_errors gatekeeper healthcheck cache s3api tempauth slo proxy-server\n' +
      '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n' +
      // Nothing listens there: signed requests need no cache.
      '[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:1\n' +
      filters.map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n${optionsOf(name)}`).join(''),
  )
}

function optionsOf(filter: string): string {
  if (filter === 's3api') return 'location = us-east-1\n'
  return filter === 'tempauth' ? `user_test_tester = ${keys.secretAccessKey} .admin\n` : ''
}

function run(program: string, args: readonly string[]): void {
  const { status, error, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw new Error(`${program} did not run (${error.message}). Install Swift.`)
  // 1 is a warning, such as that one device holds everything.
  if (status !== 0 && status !== 1) throw new Error(`${program} ${args.join(' ')}:\n${stdout}`)
}

function start(folder: string, name: string): ChildProcess {
  return spawn(`swift-${name}-server`, [path.join(folder, `${name}.conf`)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function waitUntilHealthy(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const reply = await fetch(url).catch(() => null)
    if (reply?.ok) return
    await pause(100)
  }
  throw new Error('Swift was not ready after 30 seconds.')
}

async function runTests(port: number): Promise<number> {
  const chosen = process.argv.length > 2 ? process.argv.slice(2) : tests
  const vitest = [
    '--yes',
    'pnpm@12',
    'exec',
    'vitest',
    'run',
    '--project',
    'unit',
    '--project',
    'integration',
  ]
  const child = spawn('npx', [...vitest, ...chosen], {
    cwd: path.join(repository, 'apps/api'),
    env: {
      ...process.env,
      TIDINGS_TEST_S3_PORT: String(port),
      TIDINGS_TEST_S3_KEY: keys.accessKeyId,
      TIDINGS_TEST_S3_SECRET: keys.secretAccessKey,
    },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'close')
  return Number(code ?? 1)
}

await main()
