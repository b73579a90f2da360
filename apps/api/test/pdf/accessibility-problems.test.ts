import { PDFDocument, StandardFonts } from 'pdf-lib'
import { expect, test } from 'vitest'
import { findAccessibilityProblems } from './accessibility-problems.ts'

test('findAccessibilityProblems finds what a plain PDF lacks', async () => {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage()
  page.drawText('Ships', { font: await pdf.embedFont(StandardFonts.Helvetica) })
  expect(await findAccessibilityProblems(await pdf.save({ useObjectStreams: false }))).toEqual([
    'has a structure tree',
    'is marked as tagged',
    'has a language',
    'has a title',
    'shows its title',
    'says that it is PDF/UA-1',
    'has bookmarks',
    'has its text in the structure tree',
    'has annotations in the order of the text',
    'embeds every font',
  ])
})
