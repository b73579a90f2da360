import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pdfDocument, pdfMemo } from '#test/pdf/pdf-documents.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import viteConfig from '../../../vite.config.ts'
import { createTypstPdfRenderer } from './typst-pdf-renderer.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const source = path.join(import.meta.dirname, 'pdf-compiler.ts')
let folder = ''

beforeAll(async () => {
  // Below the packages that the bundle imports.
  folder = await mkdtemp(path.join(root, 'node_modules/.pdf-build-'))
  const rolldownOptions = { ...viteConfig.build?.rolldownOptions, input: { 'pdf-compiler': source } }
  const options = { ...viteConfig.build, outDir: folder, rolldownOptions }
  await build({ ...viteConfig, root, configFile: false, logLevel: 'error', build: options })
})
afterAll(async () => await rm(folder, { recursive: true }))

async function render(file: string): Promise<Buffer> {
  const renderer = createTypstPdfRenderer({ file, logger: pino({ level: 'silent' }) })
  const memo = pdfMemo('The harbor 港 opens 😀', '<p>नमस्ते दुनिया, 한국어, שלום</p>')
  try {
    return await renderer.render(pdfDocument([memo]), new Map())
  } finally {
    await renderer.close()
  }
}

it('makes the same PDF from the bundle, whose fonts are beside it, as from the sources', async () => {
  const pdf = await render(path.join(folder, 'pdf-compiler.js'))
  const { fonts } = await readPdf(pdf)
  for (const font of ['BIZUDPMincho', 'NanumMyeongjo', 'NotoEmoji', 'NotoSerifDevanagari', 'NotoSerifHebrew'])
    expect(fonts.join()).toContain(font)
  expect(pdf.equals(await render(source))).toBe(true)
})
