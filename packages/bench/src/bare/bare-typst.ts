/** Bare Typst, the baseline of PDFs: the same page, font and hyphenation without other layout, in a process that stays. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { NodeCompiler, PdfStandard } from '@myriaddreamin/typst-ts-node-compiler'
import { serveRequests } from '../programs/serve-requests.ts'

export type BareDocument = { memos: readonly { title: string; paragraphs: readonly string[] }[] }

const template = `
#set document(title: "Edition")
#set page(width: 316pt, height: 653pt)
#set text(font: "Newsreader", size: 14.4pt, lang: "en", hyphenate: true)
#for memo in json("memos.json") {
  heading(memo.title)
  for paragraph in memo.paragraphs { par(paragraph) }
}`

const require = createRequire(import.meta.url)
const fonts = path.dirname(require.resolve('@expo-google-fonts/newsreader/package.json'))
const workspace = import.meta.dirname
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: [fonts] }] })

/** Makes a PDF. Returns the milliseconds. */
serveRequests<BareDocument>(async ({ memos }) => {
  const began = performance.now()
  compiler.mapShadow(path.join(workspace, 'memos.json'), Buffer.from(JSON.stringify(memos)))
  const { result } = compiler.compile({ mainFileContent: template })
  if (result === null) throw new Error('Typst made no document.')
  compiler.pdf(result, { pdfStandard: PdfStandard.UA_1 })
  return performance.now() - began
})
