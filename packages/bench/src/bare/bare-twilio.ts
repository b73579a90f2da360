/** A bare loop of the `twilio` package, the baseline of texting editions. */
import twilio from 'twilio'
import { serveRequests } from '../programs/serve-requests.ts'

export type BareTexts = {
  account: { sid: string; authToken: string; number: string }
  apiUrl: string
  connections: number
  texts: number
  body: string
  statusCallback: string
}

serveRequests<BareTexts>(async ({ account, apiUrl, connections, texts, body, statusCallback }) => {
  const client = twilio(account.sid, account.authToken, { maxSockets: connections })
  client.api.baseUrl = apiUrl
  let begun = 0
  const keepSending = async () => {
    while (begun < texts) {
      begun += 1
      const to = `+1202${String(begun).padStart(7, '0')}`
      await client.messages.create({ from: account.number, to, body, statusCallback })
    }
  }
  await Promise.all(Array.from({ length: connections }, keepSending))
})
