import { freePort } from '@tidings/launcher/free-port'
import type { BareOrder } from '../../bare/bare-ws.ts'
import { connect } from '../../data/connect.ts'
import { someMemoIds } from '../../data/edition-keys.ts'
import type { FrameTimes, ReadersOrder } from '../../load/live-feed-readers.ts'
import { probeOptions } from '../../probes/memory.ts'
import type { Lifetime } from '../../programs/lifetime.ts'
import { type Program, startProgram } from '../../programs/program.ts'
import { startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'

/** A measured server with its own process of readers. */
export type Side = {
  readers: Program
  url: string
  cookie: string
  probePort: number
  /** Makes the server send a frame to all readers. */
  trigger(): Promise<unknown>
}

export type Sides = { ours: Side; bare: Side }

/** Starts the API and the bare server, which sends the same frame. */
export async function startSides({ databases, progress }: Bench, lifetime: Lifetime): Promise<Sides> {
  const { week, dataDir } = await databases()
  const databaseUrl = await week()
  return await progress.step('Starting the API and a bare ws server', async () => {
    const [memoId] = await someMemoIds(databaseUrl, 1)
    const notifier = await connect(lifetime, databaseUrl)
    const probePorts = [await freePort(), await freePort()] as const
    const probe = probeOptions(probePorts[0])
    const api = await startApi(lifetime, { name: 'live-feed-api', databaseUrl, dataDir, probe })
    const bareProbe = probeOptions(probePorts[1])
    const script = new URL('../../bare/bare-ws.ts', import.meta.url)
    const bare = startProgram(lifetime, script, bareProbe.nodeArgs, bareProbe.env)
    const ours: Side = {
      readers: startReaders(lifetime),
      url: api.socketUrl,
      cookie: api.cookie,
      probePort: probePorts[0],
      trigger: () => notifier.query("SELECT pg_notify('tidings_new_memo', $1)", [JSON.stringify([memoId])]),
    }
    const frame = await readOneFrame(ours)
    const order = (body: BareOrder) => bare.request<string>(body)
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
  return startProgram(lifetime, new URL('../../load/live-feed-readers.ts', import.meta.url))
}

async function readOneFrame(side: Side): Promise<string> {
  await open(side, 1)
  const { frame } = await broadcast(side)
  await close(side)
  return frame
}

/**
 * Measures from the trigger until the last reader's process has the frame. The API is triggered by the notification of
 * publishing, so the time includes reading the memo. The bare server is triggered through its standard input.
 */
export async function broadcast(side: Side): Promise<{ allMs: number; loopMs: number; frame: string }> {
  const request = (order: ReadersOrder) => side.readers.request<FrameTimes>(order)
  await request({ do: 'expect' })
  const began = process.hrtime.bigint()
  const triggered = side.trigger()
  const { first, last, frame } = await request({ do: 'result' })
  await triggered
  const ms = (from: bigint) => Number(BigInt(last) - from) / 1e6
  return { allMs: ms(began), loopMs: ms(BigInt(first)), frame }
}

/** Opens more sockets to the server. */
export async function open({ readers, url, cookie }: Side, count: number) {
  await readers.request({ do: 'open', url, cookie, count } satisfies ReadersOrder)
}

/** Closes all of them. */
export async function close({ readers }: Side) {
  await readers.request({ do: 'close' } satisfies ReadersOrder)
}
