import { describe, expect, it } from 'vitest'
import { heicDecoder, heicFile } from '#test/content/heic.ts'
import { decodePicture } from './decode-picture.ts'
import { createSharpPictureEncoder } from './sharp-picture-encoder.ts'

function expectNear(actual: readonly number[], expected: readonly number[], steps = 3) {
  const distance = actual.map((value, index) => Math.abs(value - (expected[index] ?? Number.NaN)))
  expect(Math.max(...distance), `${actual} is not ${expected}`).toBeLessThanOrEqual(steps)
}

describe('a HEIC picture', () => {
  it('is upright and in sRGB', async () => {
    const upload = await heicFile('display-p3-rotated')
    const { width, height, pixels } = await decodePicture(upload, 'editorial', heicDecoder)
    expect([width, height, pixels.width, pixels.height, pixels.channels]).toEqual([64, 96, 64, 96, 3])
    // Display P3 200, 100, 50 above white: it was to the left of white before the rotation.
    expectNear([...pixels.data.subarray(0, 3)], [215, 93, 32])
    expectNear([...pixels.data.subarray(-3)], [255, 255, 255])
  })

  it('of ten bits is in sRGB', async () => {
    const { pixels } = await decodePicture(await heicFile('ten-bits'), 'profile', heicDecoder)
    expectNear([...pixels.data.subarray(0, 3)], [215, 93, 32])
  })

  it('with transparency is on white', async () => {
    const { pixels } = await decodePicture(await heicFile('transparent'), 'editorial', heicDecoder)
    const middle = (32 * pixels.width + 32) * 3
    expect(pixels.channels).toBe(3)
    expectNear([...pixels.data.subarray(0, 3)], [255, 255, 255])
    expectNear([...pixels.data.subarray(middle, middle + 3)], [0, 0, 0])
  })

  it('is encoded like any other', async () => {
    const encoder = createSharpPictureEncoder({ heicDecoder })
    const { variants } = await encoder.encode(await heicFile('display-p3-rotated'), 'editorial')
    expect(variants).toHaveLength(9)
  })

  it.each([
    ['ends early', 400],
    ['is only a file type', 28],
  ])('that %s is refused with a way out', async (_name, length) => {
    const upload = (await heicFile('display-p3-rotated')).subarray(0, length)
    await expect(decodePicture(upload, 'editorial', heicDecoder)).rejects.toMatchObject({
      problem: 'unreadable-heic',
      message: 'We couldn’t read this HEIC picture. Save it as JPEG and try again.',
    })
  })
})
