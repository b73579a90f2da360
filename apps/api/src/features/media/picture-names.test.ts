import { describe, expect, it } from 'vitest'
import { sha256 } from '#platform/ids.ts'
import { createPictureNames } from './picture-names.ts'

const hash = sha256('a picture')

describe('createPictureNames', () => {
  it('names the same content alike, and another one differently', () => {
    const nameOf = createPictureNames('secret of the site')
    expect(nameOf(hash)).toMatch(/^[a-z0-9]{26}\.jpg$/)
    expect(nameOf(hash)).toBe(createPictureNames('secret of the site')(hash))
    expect(nameOf(sha256('another'))).not.toBe(nameOf(hash))
  })

  it('depends on the secret, so that a name can not be derived from a picture', () => {
    expect(createPictureNames('one')(hash)).not.toBe(createPictureNames('another')(hash))
  })
})
