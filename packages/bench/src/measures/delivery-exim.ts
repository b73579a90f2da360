import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'
import { runSimulation } from './simulation.ts'

// A network of its own, in which 127.0.0.1 is the DNS server: Exim asks the one of the system.
const inOwnNetwork = 'ip link set lo up && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"'
const programs = ['/usr/sbin/exim4', '/usr/bin/unshare']

/** Sends a code, an edition and one to a missing mailbox through Exim to another Exim, which verifies DKIM. */
export async function measureDeliveryExim(bench: Bench): Promise<Row[]> {
  const measure = 'emails through Exim: DKIM of a code and of an edition is valid, and its bounce is read'
  if (!(await isPossible())) {
    bench.progress.say(
      'delivery-exim is left out. It needs Linux, root, unshare and Exim: apt-get install exim4-daemon-light',
    )
    return [{ measure, figure: 'not measured' }]
  }
  const folder = await mkdtemp(join(tmpdir(), 'tidings-resolver-'))
  try {
    const resolver = join(folder, 'resolv.conf')
    await writeFile(resolver, 'nameserver 127.0.0.1\n')
    const passed = await runSimulation(bench, {
      label: 'Sending through Exim',
      args: ['--project', 'simulation', 'test/exim'],
      through: ['/usr/bin/unshare', '--mount', '--net', 'sh', '-c', inOwnNetwork, 'sh', resolver],
    })
    return [{ measure, figure: passed ? 'all' : 'not all', target: 'all', passed }]
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function isPossible(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  const found = await Promise.all(
    programs.map((program) =>
      access(program).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.every(Boolean)
}
