/** A bare loop of `nodemailer` over pooled connections, the baseline of sending editions. */
import { createTransport } from 'nodemailer'
import { serveRequests } from '../programs/serve-requests.ts'

export type BareMails = {
  url: string
  connections: number
  messages: number
  email: { from: string; subject: string; html: string; text: string; headers: Record<string, string> }
}

serveRequests<BareMails>(async ({ url, connections, messages, email }) => {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
  })
  let begun = 0
  const keepSending = async () => {
    while (begun < messages) {
      begun += 1
      await transport.sendMail({ ...email, to: `recipient${begun}@recipients.example` })
    }
  }
  await Promise.all(Array.from({ length: connections }, keepSending))
  transport.close()
})
