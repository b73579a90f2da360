import { commentDoneReply, typingEvent } from '@tidings/contracts/membership/comments'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expect, freshName, test } from './guest.ts'

test.describe('comments on a page of another origin', () => {
  test('show other readers that a member is typing', async ({ guest, openGuest }) => {
    const channel = { channelKey: freshName() }
    const { member } = await guest.signUp({ customFields: { name: 'Gil' } })
    const reader = await openGuest()
    const address = new URL(`/socket?channel=${channel.channelKey}`, siteUnderTest.url())
    address.protocol = 'ws:'
    await reader.page.evaluate(async (url) => {
      const socket = new WebSocket(url)
      const frame = new Promise((resolve, reject) => {
        socket.onmessage = ({ data }) => resolve(data)
        socket.onclose = () => reject(new Error('The socket was closed'))
      })
      Object.assign(window, { frame })
      await new Promise((resolve) => {
        socket.onopen = resolve
      })
    }, address.href)
    await guest.call(commentDoneReply, 'postIsTyping', channel)
    const frame = typingEvent.parse(JSON.parse(await reader.page.evaluate('frame')))
    expect(frame.data).toMatchObject({ ...channel, member: { id: member.id, customFields: { name: 'Gil' } } })
  })
})
