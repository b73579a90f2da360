import { escapeHtml } from '../../http/html.ts'
import { link, page, problemLine } from './page.ts'

export const authenticationFailed = 'The card could not be authenticated. Use another card, or try again.'

/** Stripe's test cards with the labels on the pages. */
export const offeredCards: readonly (readonly [number: string, does: string])[] = [
  ['4242424242424242', 'Pays'],
  ['4000000000000002', 'Is declined'],
  ['4000000000009995', 'Too little money'],
  ['4000002500003155', 'Asks once'],
  ['4000002760003184', 'Asks every time'],
  ['4000000000000341', 'Saved, then fails'],
]

/** Returns the field for a card number and its error. */
export function cardField(card: string, problem: string | undefined): string {
  const isWrong = problem ? ' aria-invalid="true" aria-describedby="problem"' : ''
  return `<label for="card">Card number</label>
<input id="card" name="card" required inputmode="numeric" autocomplete="off" spellcheck="false" maxlength="30" value="${escapeHtml(grouped(card))}"${isWrong}>
${problemLine(problem)}`
}

/** Returns buttons that fill in a card number. They belong below the form's own button, which Enter presses. */
export function cardOffers(): string {
  const buttons = offeredCards.map(
    ([number, does]) => `<li><button name="fill" value="${number}" class="quiet" formnovalidate>
<span class="number">${grouped(number)}</span><span class="does">${does}</span></button></li>`,
  )
  return `<h2 id="test-cards">Test cards</h2>
<p class="note">Select one to fill in its number. Real cards are declined.</p>
<ul class="cards" aria-labelledby="test-cards">${buttons.join('\n')}</ul>`
}

type AuthenticationPage = {
  /** Where the answer is posted, as `authenticate` or `fail-authentication`. */
  action: string
  /** Where the customer can enter another card. */
  back: string
  /** The card number or its last digits; empty when unknown. */
  card: string
  /** The formatted amount; omitted when the card is only saved. */
  amount?: string
  /** Hidden form fields by name. */
  hidden: Record<string, string>
}

/** Returns the page that emulates the bank's authentication. */
export function authenticationPage({ action, back, card, amount, hidden }: AuthenticationPage): string {
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  const purpose = amount ? `pays ${escapeHtml(amount)}` : 'is saved'
  return page(
    'Confirm this payment',
    `<h1>Confirm this payment</h1>
<p class="lead">${card ? `The card ending in ${escapeHtml(card.slice(-4))}` : 'The card'} needs authentication before it ${purpose}. This page emulates the bank.</p>
<form method="post" action="${escapeHtml(action)}">
${fields.join('')}
<button name="answer" value="authenticate">Complete authentication</button>
<button name="answer" value="fail-authentication" class="quiet">Fail authentication</button>
</form>
<p class="links">${link(back, 'Use another card')}</p>`,
  )
}

export function digitsOf(typed: string): string {
  return typed.replaceAll(/\D/g, '')
}

/** Returns a card number in groups: `4242 4242 4242 4242`. */
export function grouped(card: string): string {
  return digitsOf(card).replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
