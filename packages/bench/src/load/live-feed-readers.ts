/** Opens the live feed of thousands of readers from its own process. */
import { WebSocket } from 'ws'
import { serveRequests } from '../programs/serve-requests.ts'

export type ReadersOrder =
  | { do: 'open'; url: string; cookie: string; count: number }
  | { do: 'expect' }
  | { do: 'result' }
  | { do: 'close' }

/** When the first and the last reader received the frame, in nanoseconds of the monotonic clock. */
export type FrameTimes = { first: string; last: string; frame: string }

const openingAtOnce = 100
const timeoutMs = 20_000

const sockets: WebSocket[] = []
let received = 0
let lost = 0
let first = 0n
let last = 0n
let frame = ''
let allServed = Promise.withResolvers<void>()

serveRequests<ReadersOrder>(async (order) => {
  switch (order.do) {
    case 'open':
      await openAll(order)
      return sockets.length
    case 'expect':
      received = 0
      allServed = Promise.withResolvers()
      return null
    case 'result':
      return await result()
    case 'close':
      await closeAll()
      return null
  }
})

async function openAll({ url, cookie, count }: { url: string; cookie: string; count: number }) {
  for (let opened = 0; opened < count; opened += openingAtOnce) {
    const batch = Array.from({ length: Math.min(openingAtOnce, count - opened) }, () => open(url, cookie))
    sockets.push(...(await Promise.all(batch)))
  }
}

function open(url: string, cookie: string): Promise<WebSocket> {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    headers: cookie === '' ? {} : { Cookie: cookie },
  })
  socket.on('message', onFrame)
  socket.on('close', onClose)
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.on('error', (error) => reject(new Error(`A reader could not connect to ${url}: ${error.message}`)))
  })
}

function onFrame(data: Buffer) {
  last = process.hrtime.bigint()
  received += 1
  if (received === 1) {
    first = last
    frame = data.toString()
  }
  if (received === sockets.length) allServed.resolve()
}

function onClose() {
  lost += 1
}

async function result(): Promise<FrameTimes> {
  const timer = setTimeout(
    () =>
      allServed.reject(
        new Error(`${received} of ${sockets.length} readers had the frame after 20 s; ${lost} were cut off.`),
      ),
    timeoutMs,
  )
  await allServed.promise
  clearTimeout(timer)
  return { first: String(first), last: String(last), frame }
}

async function closeAll() {
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  for (const socket of sockets) socket.close()
  await Promise.all(closed)
  sockets.length = 0
  lost = 0
}
