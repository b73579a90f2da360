/** Saves the texts of editors, each at a fixed rate with one save in flight as the desk does, from its own process. */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { saveWorkingCopy } from '@tidings/contracts/desk/writing/writing'
import { urlOf } from '@tidings/contracts/endpoint'
import { serveRequests } from '../programs/serve-requests.ts'

export type PacedSavesOrder = {
  url: string
  editors: readonly SavingEditor[]
  everyMs: number
  seconds: number
}

/** An editor who types in a memo. `cookie` has their session, and `version` is what they read. */
export type SavingEditor = { cookie: string; memoId: string; version: number }

/** The time of each reply until its last byte, in milliseconds, and the version that each editor has now. */
export type PacedSaves = { ms: number[]; versions: number[] }

const sentence = 'A sentence of the news has about ten words in it. '
const agent = new Agent({ keepAlive: true })

serveRequests<PacedSavesOrder>(async ({ url, editors, everyMs, seconds }) => {
  const began = performance.now()
  const ms: number[] = []
  const versions = await Promise.all(
    editors.map(async (editor, index) => {
      const offset = (index * everyMs) / editors.length
      let version = editor.version
      for (let saved = 0; saved < (seconds * 1_000) / everyMs; saved += 1) {
        await pause(Math.max(0, began + offset + saved * everyMs - performance.now()))
        const sent = performance.now()
        version = await save(url, { ...editor, version })
        ms.push(performance.now() - sent)
      }
      return version
    }),
  )
  return { ms, versions } satisfies PacedSaves
})

/** Saves a text of about 1 kB that was never saved before. Returns the memo's version. */
async function save(url: string, { cookie, memoId, version }: SavingEditor): Promise<number> {
  const typed = `<p>${sentence.repeat(20)}</p><p>Saved after version ${version}.</p>`
  const body = await new Promise<string>((resolve, reject) => {
    const sent = request(
      url + urlOf(saveWorkingCopy, { params: { id: memoId } }),
      {
        method: saveWorkingCopy.method,
        agent,
        headers: {
          cookie,
          origin: url,
          'x-desk': '1',
          'content-type': 'application/json',
          'if-match': `"${version}"`,
          'idempotency-key': crypto.randomUUID(),
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () => {
          if (response.statusCode === 200) resolve(text)
          else reject(new Error(`A save got ${response.statusCode}: ${text}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify({ memo_content: typed }))
  })
  return saveWorkingCopy.reply.parse(JSON.parse(body)).data.version
}
