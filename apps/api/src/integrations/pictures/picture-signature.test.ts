import { describe, expect, it } from 'vitest'
import { readPictureSignature } from './picture-signature.ts'

/** Returns a file type box with these brands; the second four letters are the version. */
function fileType(...brands: string[]): string {
  const [main = '', ...others] = brands
  return `\0\0\0${String.fromCharCode(16 + 4 * others.length)}ftyp${main}\0\0\0\0${others.join('')}`
}

describe('readPictureSignature', () => {
  it.each([
    ['a JPEG', '\xff\xd8\xff\xe0\0\x10JFIF', 'jpeg'],
    ['a PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'png'],
    ['an old GIF', 'GIF87a\x01\0', 'gif'],
    ['a GIF', 'GIF89a\x01\0', 'gif'],
    ['a WebP', 'RIFF\x24\0\0\0WEBPVP8 ', 'webp'],
    ['an AVIF', fileType('avif', 'mif1', 'miaf'), 'avif'],
    ['an AVIF by a later brand', fileType('mif1', 'avif'), 'avif'],
    ['an AVIF sequence', fileType('avis', 'msf1'), 'avif'],
    ['an AVIF that names the general brands first', fileType('mif1', 'miaf', 'MA1B', 'avif'), 'avif'],
    ["a phone's HEIC", fileType('heic', 'mif1', 'MiHE', 'MiPr', 'miaf', 'MiHB', 'heic'), 'heic'],
    ['a HEIC of 10 bits', fileType('heix', 'mif1'), 'heic'],
    ['a HEIC sequence', fileType('hevc', 'msf1'), 'heic'],
    ['a HEIC of general brands', fileType('mif1', 'heic'), 'heic'],
    ['a HEIF', fileType('mif1'), 'heic'],
    ['a HEIF sequence', fileType('msf1', 'iso8'), 'heic'],
  ])('recognizes %s', (_name, head, kind) => {
    expect(readPictureSignature(Buffer.from(head, 'latin1'))).toBe(kind)
  })

  it.each([
    ['nothing', ''],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['an SVG behind a declaration', '<?xml version="1.0"?><svg/>'],
    ['a page', '<!DOCTYPE html><p>'],
    ['a PDF', '%PDF-1.7'],
    ['a TIFF', 'II*\0'],
    ['a video', fileType('isom', 'mp42')],
    ['a brand past the end of its box', `${fileType('isom')}avif`],
    ['a WAV sound', 'RIFF\x24\0\0\0WAVEfmt '],
    ['half of a PNG signature', '\x89PNG'],
    ['a JPEG behind a space', ' \xff\xd8\xff'],
  ])('rejects %s', (_name, head) => {
    expect(readPictureSignature(Buffer.from(head, 'latin1'))).toBeNull()
  })
})
