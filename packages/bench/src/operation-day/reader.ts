import { Agent, type RequestOptions, request as send } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { editionReply } from '@tidings/contracts/editions'
import { urlOf } from '@tidings/contracts/endpoint'
import { listMemos, memoPicture, passGate } from '@tidings/contracts/routes'

type Reply = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

/** Someone who reads a site through HTTPS, and trusts `authority`, a certificate in PEM. */
export type Reader = {
  /** Returns the titles of an edition's memos and the status of each picture. */
  read(key: string): Promise<{ titles: string[]; pictures: number[] }>
  /**
   * Reads an edition and its pictures five times a second until `work` ends. Returns the statuses; 0 is a request without a
   * response.
   */
  during(key: string, work: () => Promise<unknown>): Promise<number[]>
}

/** Enters the site's password, once the site is ready. */
export async function createReader(authority: string, password: string): Promise<Reader> {
  const agent = new Agent({ ca: authority, keepAlive: false })
  const call = (path: string, options: RequestOptions = {}, body?: string) =>
    exchange(`https://localhost${path}`, { agent, timeout: 15_000, ...options }, body)

  const entered = await untilReady(() =>
    call(
      urlOf(passGate),
      { method: 'POST', headers: { 'Content-Type': 'application/json' } },
      JSON.stringify({ password }),
    ),
  )
  const cookie = [entered.headers['set-cookie']]
    .flat()
    .map((each) => each?.split(';')[0])
    .join('; ')
  const get = (path: string) => call(path, { headers: { Cookie: cookie } })
  const pathOf = (key: string) => urlOf(listMemos, { params: { key } })
  const contentsOf = async (key: string) => {
    const { status, body } = await get(pathOf(key))
    if (status !== 200) throw new Error(`The edition ${key} got ${status}: ${body.toString().slice(0, 300)}`)
    const memos = editionReply.parse(JSON.parse(body.toString()))
    const [, date = '', timestamp = ''] = /^(.+)-(\w+)$/.exec(key) ?? []
    const files = memos.map(({ media: file }) => file).filter((file) => file !== '')
    return {
      titles: memos.map(({ title }) => title),
      pictures: files.map((file) => urlOf(memoPicture, { params: { date, timestamp, file } })),
    }
  }

  return {
    async read(key) {
      const { titles, pictures } = await contentsOf(key)
      const replies = await Promise.all(pictures.map((path) => get(path)))
      return { titles, pictures: replies.map(({ status }) => status) }
    },
    async during(key, work) {
      const paths = [pathOf(key), ...(await contentsOf(key)).pictures]
      let isDone = false
      const working = work().finally(() => {
        isDone = true
      })
      working.catch(() => {})
      const reads: Promise<number>[] = []
      while (!isDone) {
        for (const path of paths) {
          reads.push(
            get(path).then(
              ({ status }) => status,
              () => 0,
            ),
          )
        }
        await pause(200)
      }
      await working
      return await Promise.all(reads)
    },
  }
}

/** Repeats a request for two minutes until it succeeds. */
async function untilReady(request: () => Promise<Reply>): Promise<Reply> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const reply = await request().catch((error: Error) => error)
    if (!(reply instanceof Error) && reply.status < 300) return reply
    if (performance.now() > deadline)
      throw new Error(`The site is not ready: ${reply instanceof Error ? reply.message : reply.status}`)
    await pause(500)
  }
}

function exchange(url: string, options: RequestOptions, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = send(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', reject)
    request.end(body)
  })
}
