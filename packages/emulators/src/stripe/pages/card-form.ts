import { escapeHtml } from '../../html.ts'
import { link, page, problemLine } from './page.ts'

/** What the pages say when the bank's question was not answered as the card's holder would. */
export const authenticationFailed = 'The card could not be authenticated. Use another card, or try again.'

/** The cards that the pages offer, with what each does. Stripe's own test numbers. */
export const offeredCards: readonly (readonly [number: string, does: string])[] = [
  ['4242424242424242', 'Pays'],
  ['4000000000000002', 'Is declined'],
  ['4000000000009995', 'Too little money'],
  ['4000002500003155', 'Asks once'],
  ['4000002760003184', 'Asks every time'],
  ['4000000000000341', 'Saved, then fails'],
]

/** The field for a card's number, with what was wrong with it. */
export function cardField(card: string, problem: string | undefined): string {
  const isWrong = problem ? ' aria-invalid="true" aria-describedby="problem"' : ''
  return `<label for="card">Card number</label>
<input id="card" name="card" required inputmode="numeric" autocomplete="off" spellcheck="false" maxlength="30" value="${escapeHtml(grouped(card))}"${isWrong}>
${problemLine(problem)}`
}

/** Buttons that fill the number in; they belong into the form, below its own button, so that Enter takes that one. */
export function cardOffers(): string {
  const buttons = offeredCards.map(
    ([number, does]) => `<li><button name="fill" value="${number}" class="quiet" formnovalidate>
<span class="number">${grouped(number)}</span><span class="does">${does}</span></button></li>`,
  )
  return `<h2 id="test-cards">Test cards</h2>
<p class="note">Choose one to fill in its number. Real cards are refused.</p>
<ul class="cards" aria-labelledby="test-cards">${buttons.join('\n')}</ul>`
}

type AuthenticationPage = {
  /** Where the answer is posted, as `answer`: `authenticate` or `fail-authentication`. */
  action: string
  /** Where another card is asked for. */
  back: string
  /** The card's number, or its last digits, or nothing when it is not known. */
  card: string
  /** What it is to pay, as people read it; nothing for a card that is only saved. */
  amount?: string
  /** What is posted besides, by name. */
  hidden: Record<string, string>
}

/** What the bank asks before it lets a card pay: the stand-in for its own page. */
export function authenticationPage({ action, back, card, amount, hidden }: AuthenticationPage): string {
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  const purpose = amount ? `pays ${escapeHtml(amount)}` : 'is saved'
  return page(
    'Is it you?',
    `<h1>Is it you?</h1>
<p class="lead">${card ? `The card ending in ${escapeHtml(card.slice(-4))}` : 'The card'} asks for authentication before it ${purpose}. This stands in for the bank’s page.</p>
<form method="post" action="${escapeHtml(action)}">
${fields.join('')}
<button name="answer" value="authenticate">Complete authentication</button>
<button name="answer" value="fail-authentication" class="quiet">Fail authentication</button>
</form>
<p class="links">${link(back, 'Use another card')}</p>`,
  )
}

/** Only the digits of what was typed as a card's number. */
export function digitsOf(typed: string): string {
  return typed.replaceAll(/\D/g, '')
}

/** A card's number as it stands on cards: `4242 4242 4242 4242`. */
export function grouped(card: string): string {
  return digitsOf(card).replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
