import { expect, it, onTestFinished } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { locationsFrom } from '../../../locations.ts'
import { createReportReader } from './report-reader.ts'

const { reportReader } = locationsFrom(new URL('../../../main.ts', import.meta.url).href)
const bounce = Buffer.from(
  'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n--b--\r\n',
)

/** A thread that does this with each message. */
function threadThat(does: string): URL {
  const source = `import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => { ${does} })`
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`)
}

function open(file: string | URL, timeoutMs = 60_000) {
  const { logger, lines } = createCapturedLog()
  const reader = createReportReader({ file, logger, timeoutMs })
  onTestFinished(() => reader.close())
  return { reader, lines }
}

it('reads reports in the thread, one after another', async () => {
  const { reader } = open(reportReader)
  const reports = await Promise.all([
    reader.read(bounce),
    reader.read(Buffer.from('Hello')),
    reader.read(bounce),
  ])
  expect(reports).toMatchObject([{ status: '5.1.1' }, null, { status: '5.1.1' }])
})

it.each([
  ['never ends', 'for (;;);', 500, 'The time limit is exceeded'],
  [
    'fills the memory',
    'const all = []; for (;;) all.push(Array(1000).fill(0).map(String))',
    60_000,
    'memory limit',
  ],
  ['fails', 'throw new Error("no")', 60_000, 'no'],
  ['exits', 'process.exit(1)', 60_000, 'The thread ended'],
  ['replies something else', 'parentPort.postMessage({ kind: "lies" })', 60_000, 'Invalid'],
])('ends a thread that %s, and starts another one', async (_name, does, timeoutMs, message) => {
  const { reader, lines } = open(threadThat(does), timeoutMs)
  for (let each = 0; each < 2; each += 1) {
    await expect(reader.read(bounce)).rejects.toThrow(message)
  }
  expect(lines.filter((line) => line.includes('bounce report read failed'))).toHaveLength(2)
})
