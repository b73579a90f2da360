import { freePort } from '@tidings/launcher/free-port'
import pg from 'pg'
import type { BareOrder } from '../bare/bare-ws.ts'
import type { Bench } from '../bench.ts'
import { someMemoIds } from '../data/edition-keys.ts'
import { milliseconds, ratioText, spreadText, whole } from '../figures.ts'
import type { Lifetime } from '../lifetime.ts'
import { median } from '../median.ts'
import { type Pairs, ratioOf, summarize, takePairs } from '../pairs.ts'
import { startApi } from '../processes/api.ts'
import { probeOptions, readMemory } from '../processes/memory.ts'
import { type Program, startProgram } from '../processes/program.ts'
import type { FrameTimes, ReadersOrder } from '../processes/readers.ts'
import type { Row } from '../table.ts'

const mostRatio = 1.5
const framesInOneRun = 5

/** A server under measurement, with a process full of readers of its own. */
type Side = {
  readers: Program
  url: string
  cookie: string
  probePort: number
  /** Makes the server send a frame to everybody. */
  trigger(): Promise<unknown>
}

type Sides = { ours: Side; bare: Side }

/**
 * NEW_MEMO to thousands of sockets against a loop over a bare `ws` server's sockets that sends the same frame: how long
 * until the last reader has it, and how much memory an idle socket takes.
 */
export async function measureLiveFeed(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const sides = await startSides(bench, lifetime)
    const memory = await compareMemory(bench, sides)
    return [...(await compareBroadcasts(bench, sides)), ...memory]
  })
}

async function startSides({ databases, progress }: Bench, lifetime: Lifetime): Promise<Sides> {
  const { week, dataDir } = await databases()
  const databaseUrl = await week()
  return await progress.step('Starting the API and a bare ws server', async () => {
    const [memoId] = await someMemoIds(databaseUrl, 1)
    const notifier = new pg.Client({ connectionString: databaseUrl })
    await notifier.connect()
    lifetime.atEnd(() => notifier.end())
    const probePorts = [await freePort(), await freePort()] as const
    const probe = probeOptions(probePorts[0])
    const api = await startApi(lifetime, { name: 'live-feed-api', databaseUrl, dataDir, probe })
    const bareProbe = probeOptions(probePorts[1])
    const script = new URL('../bare/bare-ws.ts', import.meta.url)
    const bare = startProgram(lifetime, script, bareProbe.nodeArgs, bareProbe.env)
    const ours: Side = {
      readers: startReaders(lifetime),
      url: api.socketUrl,
      cookie: api.cookie,
      probePort: probePorts[0],
      trigger: () => notifier.query("SELECT pg_notify('tidings_new_memo', $1)", [JSON.stringify([memoId])]),
    }
    const frame = await readOneFrame(ours)
    const order = (question: BareOrder) => bare.ask<string>(question)
    return {
      ours,
      bare: {
        readers: startReaders(lifetime),
        url: await order({ do: 'listen' }),
        cookie: '',
        probePort: probePorts[1],
        trigger: () => order({ do: 'broadcast', frame }),
      },
    }
  })
}

function startReaders(lifetime: Lifetime): Program {
  return startProgram(lifetime, new URL('../processes/readers.ts', import.meta.url))
}

async function readOneFrame(side: Side): Promise<string> {
  await open(side, 1)
  const { frame } = await broadcast(side)
  await close(side)
  return frame
}

/**
 * The time counts from the moment at which either server is told to send: ours by the notification that publishing sends
 * through Postgres, so that reading the memo is in it; the bare one, which has its frame ready, through its standard input.
 * It ends when the last reader's process has the frame. Both clocks are the machine's one monotonic clock.
 */
async function broadcast(side: Side): Promise<{ allMs: number; loopMs: number; frame: string }> {
  const ask = (order: ReadersOrder) => side.readers.ask<FrameTimes>(order)
  await ask({ do: 'expect' })
  const began = process.hrtime.bigint()
  const triggered = side.trigger()
  const { first, last, frame } = await ask({ do: 'result' })
  await triggered
  const ms = (from: bigint) => Number(BigInt(last) - from) / 1e6
  return { allMs: ms(began), loopMs: ms(BigInt(first)), frame }
}

async function compareBroadcasts({ quick, progress }: Bench, sides: Sides): Promise<Row[]> {
  const sockets = quick ? 500 : 2_000
  const loops: Record<keyof Sides, number[]> = { ours: [], bare: [] }
  const run = async (side: keyof Sides) => {
    const frames = []
    for (let count = 0; count < framesInOneRun; count += 1) frames.push(await broadcast(sides[side]))
    loops[side].push(median(frames.map(({ loopMs }) => loopMs)))
    return median(frames.map(({ allMs }) => allMs))
  }
  const result = await progress.step(`Sending frames to ${whole(sockets)} sockets`, async () => {
    await open(sides.ours, sockets)
    await open(sides.bare, sockets)
    await run('ours')
    await run('bare')
    loops.ours = []
    loops.bare = []
    const pairs = await takePairs(
      quick ? 3 : 15,
      { ours: () => run('ours'), other: () => run('bare') },
      (pair, taken) =>
        progress.say(
          `  pair ${taken}: ${milliseconds(pair.ours)}, bare ${milliseconds(pair.other)}: ${ratioText(ratioOf(pair))}`,
        ),
    )
    await close(sides.ours)
    await close(sides.bare)
    return pairs
  })
  const loopPairs = summarize(loops.ours.map((ours, index) => ({ ours, other: loops.bare[index] ?? 0 })))
  const row = (measure: string, pairs: Pairs, target: number | null): Row => ({
    measure,
    figure: milliseconds(pairs.ours),
    alternative: `${milliseconds(pairs.other)} bare ws`,
    ratio: spreadText(pairs.ratio, pairs.spread),
    target: target === null ? '' : `≤ ${target}`,
    passed: target === null ? null : pairs.ratio <= target,
  })
  return [
    row(`NEW_MEMO to the last of ${whole(sockets)} sockets`, result, mostRatio),
    row('of that, from the first socket to the last', loopPairs, null),
  ]
}

async function compareMemory({ quick, progress }: Bench, sides: Sides): Promise<Row[]> {
  const sockets = quick ? 1_000 : 3_000
  // A process gives little back to the system: only its first growth is that of the sockets.
  const firstResident: Partial<Record<keyof Sides, number>> = {}
  const run = async (name: keyof Sides) => {
    const side = sides[name]
    const before = await readMemory(side.probePort)
    await open(side, sockets)
    const after = await readMemory(side.probePort)
    await close(side)
    firstResident[name] ??= (after.resident - before.resident) / sockets
    return (after.objects - before.objects) / sockets
  }
  const result = await progress.step(`Holding ${whole(sockets)} idle sockets`, async () => {
    // What a server makes once, it makes now.
    for (const side of [sides.ours, sides.bare]) {
      await open(side, 200)
      await close(side)
    }
    return await takePairs(
      quick ? 2 : 7,
      { ours: () => run('ours'), other: () => run('bare') },
      (pair, count) =>
        progress.say(
          `  pair ${count}: ${bytes(pair.ours)}, bare ${bytes(pair.other)}: ${ratioText(ratioOf(pair))}`,
        ),
    )
  })
  const { ours = Number.NaN, bare = Number.NaN } = firstResident
  return [
    {
      measure: `Memory of an idle socket, of ${whole(sockets)}`,
      figure: bytes(result.ours),
      alternative: `${bytes(result.other)} bare ws`,
      ratio: spreadText(result.ratio, result.spread),
      target: `≤ ${mostRatio}`,
      passed: result.ratio <= mostRatio,
    },
    {
      measure: 'the same as the system sees it, first time',
      figure: bytes(ours),
      alternative: `${bytes(bare)} bare ws`,
      ratio: ratioText(ours / bare),
      target: '',
      passed: null,
    },
  ]
}

async function open({ readers, url, cookie }: Side, count: number) {
  await readers.ask({ do: 'open', url, cookie, count } satisfies ReadersOrder)
}

async function close({ readers }: Side) {
  await readers.ask({ do: 'close' } satisfies ReadersOrder)
}

function bytes(count: number): string {
  return `${whole(count)} B`
}
