import { memberSchema, profileImageReply } from '@tidings/contracts/membership/members'
import sharp from 'sharp'
import { describe, expect } from 'vitest'
import { createTestProfileImages, nameIn } from '#test/content/profile-images.ts'
import { refusalOf } from '#test/desk.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'

const picture = await jpegPicture(200, 150)
const it = siteTest()
  .extend('images', { scope: 'file' }, ({ site }) => createTestProfileImages(site))
  .extend(
    'shownBy',
    { scope: 'file' },
    ({ members }) =>
      async ({ headers }: TestMember): Promise<string | null> => {
        return memberSchema.parse((await members.call('GET', '/member', { headers })).json().data)
          .profileImage
      },
  )

describe('POST /member/profile-image', () => {
  it('returns a URL that cannot be guessed, and the message that clients expect', async ({
    members,
    images,
    shownBy,
  }) => {
    const ann = await members.signUp()
    const reply = await images.upload(ann, picture)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json()).toEqual({
      data: {
        profileImage: expect.stringMatching(/^http:\/\/localhost:3000\/profile-images\/[a-z0-9]{26}\.jpg$/),
      },
      _internalUseOnly: { message: 'Your profile image is saved.' },
    })
    expect(await shownBy(ann)).toBe(reply.json().data.profileImage)
  })

  it('applies the orientation and removes all metadata', async ({ members, images }) => {
    const ann = await members.signUp()
    const taken = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#123456' } })
      .withMetadata({ orientation: 6 })
      .withExifMerge({
        IFD0: { Artist: 'Ann Secret' },
        IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>Ann Secret</a></x:xmpmeta>')
      .jpeg()
      .toBuffer()
    expect(taken.toString('latin1').split('Ann Secret')).toHaveLength(3)
    expect((await sharp(taken).metadata()).orientation).toBe(6)
    const address = await images.set(ann, taken)
    for (const accept of ['image/jpeg', 'image/webp']) {
      const { rawPayload } = await images.show(address, { accept })
      const metadata = await sharp(rawPayload).metadata()
      expect(metadata).toMatchObject({ width: 200, height: 300 })
      expect([metadata.exif, metadata.xmp, metadata.iptc]).toEqual([undefined, undefined, undefined])
      expect(rawPayload.toString('latin1')).not.toContain('Ann Secret')
    }
  })

  it("accepts a browser's form with other fields before the image", async ({ site, members }) => {
    const { headers } = await members.signUp()
    const form = new FormData()
    form.append('note', 'mine')
    form.append('profileImage', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'Ich & du.jpg')
    const url = new URL('/member/profile-image', await site.listen())
    const reply = await fetch(url, { method: 'POST', headers, body: form })
    expect(reply.status).toBe(200)

    const { data } = profileImageReply.parse(await reply.json())
    const address = new URL(new URL(data.profileImage ?? '').pathname, url)
    const shown = await fetch(address, { headers: { origin: 'https://anywhere.example', accept: '*/*' } })
    expect(shown.status).toBe(200)
    expect(shown.headers.get('access-control-allow-origin')).toBe('*')
    expect(shown.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await sharp(await shown.arrayBuffer()).metadata()).format).toBe('jpeg')
  })

  it('stores the first frame of an animation', async ({ members, images }) => {
    const ann = await members.signUp()
    const frame = (background: string) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer()
    const frames = await Promise.all(['#ff0000', '#0000ff'].map(frame))
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await sharp(animation).metadata()).pages).toBe(2)
    const { rawPayload } = await images.show(await images.set(ann, animation))
    expect((await sharp(rawPayload).metadata()).pages).toBeUndefined()
    const { dominant } = await sharp(rawPayload).stats()
    expect(dominant.r).toBeGreaterThan(200)
    expect(dominant.b).toBeLessThan(60)
  })

  it('replaces the previous image and deletes it from disk', async ({ members, images, shownBy }) => {
    const ann = await members.signUp()
    const before = await images.set(ann, picture)
    expect((await images.show(before)).statusCode).toBe(200)
    const after = await images.set(ann, await jpegPicture(100, 100))
    expect(await shownBy(ann)).toBe(after)
    expect(refusalOf(await images.show(before))).toMatchObject({ status: 404, code: 'media-not-found' })
    const names = await images.onDisk()
    expect(names).toContain(nameIn(after))
    expect(names).not.toContain(nameIn(before))
  })

  it('keeps one of two concurrent uploads and deletes the other', async ({ members, images, shownBy }) => {
    const ann = await members.signUp()
    const before = await images.onDisk()
    const addresses = await Promise.all([images.set(ann, picture), images.set(ann, picture)])
    const shown = await shownBy(ann)
    expect(addresses).toContain(shown)
    expect((await images.onDisk()).filter((name) => !before.includes(name))).toEqual([nameIn(shown ?? '')])
    const statuses = await Promise.all(addresses.map(async (one) => (await images.show(one)).statusCode))
    expect(statuses.sort()).toEqual([200, 404])
  })
})

describe('DELETE /member/profile-image', () => {
  it('removes the image, and succeeds without one', async ({ members, images, shownBy }) => {
    const ann = await members.signUp()
    const address = await images.set(ann, picture)
    for (const _time of ['there', 'gone']) {
      const reply = await members.call('DELETE', '/member/profile-image', { headers: ann.headers })
      expect(reply.statusCode).toBe(200)
      expect(reply.json()).toEqual({
        data: { profileImage: null },
        _internalUseOnly: { message: 'Your profile image is removed.' },
      })
    }
    expect(await shownBy(ann)).toBeNull()
    expect((await images.show(address)).statusCode).toBe(404)
    expect(await images.onDisk()).not.toContain(nameIn(address))
  })

  it('needs a session', async ({ members }) => {
    expect(refusalOf(await members.call('DELETE', '/member/profile-image'))).toMatchObject({
      status: 401,
      code: 'login-required',
    })
  })
})

describe('GET /profile-images/{file}', () => {
  it.for([
    ['image/avif,image/webp,*/*', 'image/webp'],
    ['image/webp,*/*', 'image/webp'],
    ['*/*', 'image/jpeg'],
  ] as const)('responds to %s with %s', async ([accept, type], { members, images }) => {
    const address = await images.set(await members.signUp(), picture)
    const reply = await images.show(address, { accept })
    expect(reply.headers['content-type']).toBe(type)
    expect(reply.headers.vary).toContain('Accept')
    expect((await sharp(reply.rawPayload).metadata()).format).toBe(type.slice('image/'.length))
    const again = await images.show(address, { accept, 'if-none-match': String(reply.headers.etag) })
    expect(again.statusCode).toBe(304)
  })

  it('returns the requested width', async ({ members, images }) => {
    const address = await images.set(await members.signUp(), await jpegPicture(800, 600))
    const widthOf = async (query: string) =>
      (await sharp((await images.show(`${address}${query}`)).rawPayload).metadata()).width
    expect(await widthOf('?w=100')).toBe(360)
    expect(await widthOf('')).toBe(720)
  })

  it.for([
    'aaaaaaaaaaaaaaaaaaaaaaaaaa.jpg',
    'nothing',
    '%00',
    'a%00.jpg',
    '..%2F..%2Fpackage.json',
    '..%5C..%5Cpackage.json',
    '%2e%2e%2fmedia',
    '__proto__',
    '%F0%9F%A6%8A.jpg',
    `${'x'.repeat(190)}.jpg`,
  ])('returns 404 for %s', async (file, { site }) => {
    const reply = await site.app.inject({ method: 'GET', url: `/profile-images/${file}` })
    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'media-not-found' })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('returns 404 for an editorial image', async ({ site }) => {
    const { file } = await site.context.media.prepare(picture, 'editorial')
    const reply = await site.app.inject({ method: 'GET', url: `/profile-images/${file}` })
    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'media-not-found' })
  })
})
