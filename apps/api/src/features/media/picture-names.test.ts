import { describe, expect, it } from 'vitest'
import { createPictureNames } from './picture-names.ts'

const upload = Buffer.from('a picture')

describe('createPictureNames', () => {
  it('names the same content alike, and another one differently', () => {
    const nameOf = createPictureNames('secret of the site')
    expect(nameOf(upload)).toMatch(/^[a-z0-9]{26}\.jpg$/)
    expect(nameOf(Buffer.from(upload))).toBe(nameOf(upload))
    expect(nameOf(Buffer.from('another'))).not.toBe(nameOf(upload))
  })

  it('depends on the secret, so that a name can not be derived from a picture', () => {
    expect(createPictureNames('one')(upload)).not.toBe(createPictureNames('another')(upload))
  })
})
