/** An e-mail address that opens a letter to it. */
export function MailLink({ address }: { address: string }) {
  return <a href={`mailto:${address}`}>{address}</a>
}
