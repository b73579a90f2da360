import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { profileOf } from '#test/factories/color-profiles.ts'
import { exifOf, pngChunk, pngOf, profileChunk } from '#test/factories/png.ts'
import { keepVisualChunks } from './png-chunks.ts'

const pixel = [200, 100, 50]
const plain = pngOf({ pixel })
const p3 = await profileOf('p3')
const compressed = Buffer.concat([Buffer.from('name\0\0'), deflateSync(Buffer.alloc(20_000_000))])

/** Lists the types of a PNG's chunks. */
function typesOf(png: Uint8Array): string[] {
  const bytes = Buffer.from(png)
  const types: string[] = []
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    types.push(bytes.toString('latin1', at + 4, at + 8))
  }
  return types
}

describe('keepVisualChunks', () => {
  it.each([
    ['texts', ['tEXt', 'zTXt', 'iTXt'].map((type) => pngChunk(type, compressed))],
    ['an unknown chunk', [pngChunk('vpAg', Buffer.alloc(9))]],
    ['a profile that inflates beyond the bound', [pngChunk('iCCP', compressed)]],
    ['a profile that is not compressed', [pngChunk('iCCP', Buffer.from('name\0\0profile'))]],
    ['a profile that ends early', [pngChunk('iCCP', compressed.subarray(0, 400))]],
    ['a profile without a name', [pngChunk('iCCP', Buffer.from('name'))]],
    ['an empty profile', [profileChunk(Buffer.alloc(0))]],
    ['EXIF beyond the bound', [pngChunk('eXIf', Buffer.alloc(1_000_001))]],
  ])('removes %s', (_name, before) => {
    expect(Buffer.from(keepVisualChunks(pngOf({ pixel, before })))).toEqual(plain)
  })

  it('keeps one profile and one EXIF, in front of the pixels', () => {
    const exif = pngChunk('eXIf', exifOf(6))
    const before = [pngChunk('sRGB', Buffer.alloc(1)), profileChunk(p3), profileChunk(p3)]
    const png = keepVisualChunks(pngOf({ pixel, before, after: [exif, exif] }))
    expect(typesOf(png)).toEqual(['IHDR', 'iCCP', 'eXIf', 'sRGB', 'IDAT', 'IEND'])
  })

  it('keeps a table profile of 2 MB', () => {
    const before = [profileChunk(Buffer.alloc(2_000_000, 'profile'))]
    expect(typesOf(keepVisualChunks(pngOf({ pixel, before })))).toContain('iCCP')
  })

  it.each([
    ['nothing', 0],
    ['the signature', 8],
    ['half of the header', 20],
    ['half of a profile', 300],
  ])('copes with a file that ends after %s', (_name, length) => {
    const png = pngOf({ pixel, before: [profileChunk(p3)] }).subarray(0, length)
    expect(keepVisualChunks(png).length).toBeLessThanOrEqual(length)
  })
})
