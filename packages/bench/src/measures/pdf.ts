import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { editionDeliveryEndpoints } from '@tidings/contracts/desk/deliveries'
import { putEdition } from '@tidings/contracts/desk/editions'
import { addMemo } from '@tidings/contracts/desk/memos'
import { urlOf } from '@tidings/contracts/endpoint'
import type { BareDocument } from '../bare/bare-typst.ts'
import { rawGet } from '../calls/raw-request.ts'
import { makeParagraphs } from '../data/paragraphs.ts'
import type { Lifetime } from '../programs/lifetime.ts'
import { startProgram } from '../programs/program.ts'
import { milliseconds, whole } from '../results/figures.ts'
import { takePairs } from '../results/pairs.ts'
import { pairPrinter, pairsRow } from '../results/rows.ts'
import type { Row } from '../results/table.ts'
import { editorKey, startApi } from '../sites/api.ts'
import type { Bench } from '../sites/bench.ts'

const memosOfEdition = 8
const paragraphsOfMemo = 2
const maxSlower = 2
const readers = 1_000
const desk = { Authorization: `Bearer ${editorKey}` }

type PdfSite = {
  /** Stores a draft with these memos. Returns its key. */
  draft(document: BareDocument): Promise<string>
  /** Requests the PDF of an edition. Returns the milliseconds. */
  pdf(key: string): Promise<number>
  /** Returns how many PDFs are stored. */
  stored(): Promise<number>
}

/** Compares the first request for the PDF of an edition with bare Typst, and counts the PDFs of many requests. */
export async function measurePdf(bench: Bench): Promise<Row[]> {
  const { progress, quick } = bench
  const rounds = quick ? 5 : 15
  const texts = makeTexts(rounds + 2)
  return await bench.lifetime.within(async (lifetime) => {
    const site = await startPdfSite(bench, lifetime)
    const bare = startProgram(lifetime, new URL('../bare/bare-typst.ts', import.meta.url))
    const next = { ours: 0, other: 0 }
    const sides = {
      ours: async () => await site.pdf(await site.draft(texts.at(next.ours++) ?? { memos: [] })),
      other: async () => await bare.request<number>(texts.at(next.other++) ?? { memos: [] }),
    }
    const cold = await sides.ours()
    await sides.other()
    const pairs = await progress.step('Making PDFs', async () =>
      takePairs(rounds, sides, pairPrinter(progress.say, milliseconds)),
    )
    const key = await site.draft(texts.at(-1) ?? { memos: [] })
    const before = await site.stored()
    await progress.step(`Requesting one PDF ${whole(readers)} times`, () =>
      Promise.all(Array.from({ length: readers }, () => site.pdf(key))),
    )
    const made = (await site.stored()) - before
    return [
      pairsRow(`A PDF of ${memosOfEdition} memos, from the request to the last byte`, pairs, {
        text: milliseconds,
        other: 'bare Typst',
        max: maxSlower,
      }),
      { measure: 'the first one of a process', figure: milliseconds(cold) },
      {
        measure: `PDFs made for ${whole(readers)} requests, eight at once`,
        figure: whole(made),
        target: '1',
        passed: made === 1,
      },
    ]
  })
}

async function startPdfSite({ databases }: Bench, lifetime: Lifetime): Promise<PdfSite> {
  const { members, dataDir } = await databases()
  const settings = { EDITOR_API_KEY: editorKey }
  const api = await startApi(lifetime, {
    name: 'pdf-api',
    databaseUrl: await members('few'),
    dataDir,
    settings,
  })
  let drafts = 0

  async function write(route: typeof putEdition | typeof addMemo, key: string, body: object): Promise<void> {
    const { method } = route
    const url = api.url + urlOf(route, { params: { key } })
    const headers = { ...desk, 'Content-Type': 'application/json' }
    const { ok, status } = await fetch(url, { method, headers, body: JSON.stringify(body) })
    if (!ok) throw new Error(`${method} ${url} responded with ${status}.`)
  }

  return {
    async draft({ memos }) {
      drafts += 1
      const key = `01-${String(drafts).padStart(2, '0')}-40-10AM`
      await write(putEdition, key, { status: 'draft' })
      for (const { title, paragraphs } of memos) {
        const memo_content = paragraphs.map((text) => `<p>${text}</p>`).join('')
        await write(addMemo, key, { title, memo_content })
      }
      return key
    },
    async pdf(key) {
      const began = performance.now()
      const { status } = await rawGet(
        api.url + urlOf(editionDeliveryEndpoints.pdf, { params: { key } }),
        desk,
      )
      if (status !== 200) throw new Error(`The PDF responded with ${status}.`)
      return performance.now() - began
    },
    async stored() {
      return (await readdir(path.join(dataDir, 'pdf'))).length
    },
  }
}

/** Returns other texts for each document, because Typst remembers what it has laid out. */
function makeTexts(count: number): BareDocument[] {
  const paragraphs = makeParagraphs(count * memosOfEdition * paragraphsOfMemo)
  const take = () => paragraphs.splice(0, paragraphsOfMemo)
  return Array.from({ length: count }, () => ({
    memos: Array.from({ length: memosOfEdition }, (_, index) => ({
      title: `Memo ${index + 1}`,
      paragraphs: take(),
    })),
  }))
}
