import { profileImageReply } from '@tidings/contracts/membership/members'
import { expect, test } from './guest.ts'

test.describe('a member, on a page of another origin', () => {
  test('uploads a profile image, which the page can show', async ({ guest }) => {
    await guest.signUp()
    const buffer = await guest.page.screenshot()
    const file = { name: 'me.png', mimeType: 'image/png', buffer }
    const { data } = await guest.uploadPicture(profileImageReply, file)
    const width = await guest.page.evaluate(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      return image.naturalWidth
    }, data.profileImage ?? '')
    expect(width).toBeGreaterThan(0)
  })
})
