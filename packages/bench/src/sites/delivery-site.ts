import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { editionDeliveryEndpoints } from '@tidings/contracts/desk/deliveries'
import { publishEdition } from '@tidings/contracts/desk/editions'
import { urlOf } from '@tidings/contracts/endpoint'
import type pg from 'pg'
import type { MailCount, MailOrder } from '../bare/bare-smtp-server.ts'
import { membershipSettings } from '../calls/membership.ts'
import { rawGet, rawPost } from '../calls/raw-request.ts'
import { connect } from '../data/connect.ts'
import { type ChosenMethod, chooseRecipients, draftCopy, fillRecipients } from '../data/fill-recipients.ts'
import type { Lifetime } from '../programs/lifetime.ts'
import { startProgram } from '../programs/program.ts'
import { whole } from '../results/figures.ts'
import { type Api, editorKey, type Settings, startApi } from './api.ts'
import type { Bench } from './bench.ts'
import type { Server } from './server.ts'
import { startWorker } from './worker.ts'

const pollMs = 100
const sentSql = `
  SELECT FROM edition JOIN delivery_run AS run ON run.edition_id = edition.id
  WHERE to_char(date, 'MM-DD-YY') || '-' || slot = $1 AND run.state = 'done'`
const desk = { Authorization: `Bearer ${editorKey}` }

/** An API with members who may receive editions, and a mail server. */
export type DeliverySite = {
  api: Api
  databaseUrl: string
  database: pg.Client
  /** Its DATA_DIR, which belongs to its database. */
  dataDir: string
  mails: { pid: number; url: string; count(): Promise<MailCount>; restart(): Promise<void> }
  /** Lets as many members receive editions, by email unless another method is given. */
  choose(recipients: number, method?: ChosenMethod): Promise<void>
  /** Stores a draft like the others. Returns its key. */
  draft(): Promise<string>
  /** Publishes an edition, which plans its deliveries. */
  publish(key: string): Promise<void>
  /** Reads from the desk. Returns the data. */
  call(path: string): Promise<unknown>
  preview(
    key: string,
    method: 'memo-email' | 'memo-sms',
  ): Promise<{ subject: string; html: string; text: string }>
  /** Has the PDF of an edition made and stored. */
  requestPdf(key: string): Promise<void>
  /** Starts a worker, which sends what is planned. */
  work(inner: Lifetime, name: string, settings?: Settings): Server
  /** Resolves once an edition is sent to all. */
  waitUntilSent(key: string): Promise<void>
}

/** Starts the API and a bare mail server, and stores the members. */
export async function startDeliverySite(
  { databases, progress }: Bench,
  lifetime: Lifetime,
  options: { name: string; members: number; connections: number; settings?: Settings },
): Promise<DeliverySite> {
  const { name, members } = options
  const { deliveries, dataDir: logDir } = await databases()
  const databaseUrl = await deliveries(name)
  const dataDir = join(logDir, 'data', name)
  const database = await connect(lifetime, databaseUrl)

  const server = startProgram(lifetime, new URL('../bare/bare-smtp-server.ts', import.meta.url))
  const ask = (order: MailOrder) => server.request<MailCount>(order)
  const url = await server.request<string>({ do: 'listen' } satisfies MailOrder)
  const settings = {
    ...membershipSettings,
    EDITOR_API_KEY: editorKey,
    SMTP_URL: url,
    BULK_SMTP_CONNECTIONS: String(options.connections),
    BOUNCE_DOMAIN: 'bounces.example',
    DELIVERY_DELAY_SECONDS: '0',
    DATA_DIR: dataDir,
    ...options.settings,
  }
  const api = await startApi(lifetime, { name: `${name}-api`, databaseUrl, dataDir: logDir, settings })
  await progress.step(`Creating ${whole(members)} members`, () => fillRecipients(database, members))
  let drafts = 0

  async function call(path: string) {
    const { status, body } = await rawGet(api.url + path, desk)
    if (status !== 200) throw new Error(`${path} responded with ${status}: ${body.toString()}`)
    return JSON.parse(body.toString()).data
  }

  return {
    api,
    databaseUrl,
    database,
    dataDir,
    mails: {
      pid: server.pid,
      url,
      count: () => ask({ do: 'count' }),
      restart: async () => void (await ask({ do: 'restart' })),
    },
    choose: (recipients, method = 'getmemomethodbyemail') => chooseRecipients(database, recipients, method),
    async draft() {
      drafts += 1
      return await draftCopy(database, drafts)
    },
    async publish(key) {
      const { status, body } = await rawPost(api.url + urlOf(publishEdition, { params: { key } }), desk, {
        deliver: true,
      })
      if (status !== 200) throw new Error(`Publishing responded with ${status}: ${body.toString()}`)
    },
    call,
    preview: (key, method) => call(urlOf(editionDeliveryEndpoints.preview, { params: { key, method } })),
    async requestPdf(key) {
      const { status } = await rawGet(
        api.url + urlOf(editionDeliveryEndpoints.pdf, { params: { key } }),
        desk,
      )
      if (status !== 200) throw new Error(`The PDF responded with ${status}.`)
    },
    work: (inner, name, own) =>
      startWorker(inner, {
        name,
        siteUrl: api.url,
        databaseUrl,
        dataDir: logDir,
        settings: { ...settings, ...own },
      }),
    async waitUntilSent(key) {
      for (;;) {
        const { rowCount } = await database.query(sentSql, [key])
        if (rowCount === 1) return
        await pause(pollMs)
      }
    },
  }
}
