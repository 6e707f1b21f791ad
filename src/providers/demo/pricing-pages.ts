/** The simulated models' answers to "a pricing page": of clearly different quality, in the style of real models. */

const GOOD = `Here is a pricing page with three plans and a switch between monthly and yearly billing. It works by keyboard, follows the reader's light or dark setting, and needs no library.

\`\`\`html
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plans and pricing</title>
<style>
  :root {
    color-scheme: light dark;
    --ink: light-dark(#1a1d26, #eef0f6);
    --quiet: light-dark(#565d70, #a9b0c3);
    --paper: light-dark(#f6f7fb, #14161d);
    --card: light-dark(#ffffff, #1d2029);
    --line: light-dark(#dfe2ec, #323747);
    --accent: light-dark(#3b4cca, #93a0ff);
    --on-accent: light-dark(#ffffff, #14161d);
  }
  * { box-sizing: border-box }
  body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
  main { max-width: 68rem; margin-inline: auto; padding: clamp(2rem, 6vw, 5rem) 1.25rem }
  header { text-align: center }
  h1 { margin: 0; font-size: clamp(1.9rem, 5vw, 3rem); letter-spacing: -.02em; line-height: 1.15 }
  header p { margin: .75rem auto 2rem; max-width: 36rem; color: var(--quiet) }
  .billing { display: inline-flex; align-items: center; gap: .75rem; margin-bottom: 2.5rem }
  .switch { width: 3.25rem; height: 1.85rem; padding: 0; border: 0; border-radius: 99px; background: var(--quiet); cursor: pointer; transition: background .15s }
  .switch::before { content: ""; display: block; width: 1.45rem; height: 1.45rem; margin-left: .2rem; border-radius: 50%; background: var(--card); transition: translate .15s }
  .switch[aria-checked="true"] { background: var(--accent) }
  .switch[aria-checked="true"]::before { translate: 1.4rem }
  .saving { color: var(--accent); font-weight: 600 }
  .plans { display: grid; grid-template-columns: repeat(auto-fit, minmax(16.5rem, 1fr)); gap: 1.25rem; align-items: stretch; margin: 0; padding: 0; list-style: none; text-align: left }
  .plan { display: flex; flex-direction: column; padding: 1.75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card) }
  .plan.featured { border: 2px solid var(--accent) }
  .plan h2 { display: flex; justify-content: space-between; align-items: center; margin: 0; font-size: 1.1rem }
  .tag { padding: .1rem .6rem; border-radius: 99px; background: var(--accent); color: var(--on-accent); font-size: .75rem }
  .price { margin: 1rem 0 0; font-size: 2.6rem; font-weight: 700; font-variant-numeric: tabular-nums; letter-spacing: -.03em }
  .price small { font-size: 1rem; font-weight: 400; color: var(--quiet); letter-spacing: 0 }
  .note { min-height: 1.5rem; margin: 0; color: var(--quiet); font-size: .9rem }
  .plan ul { flex: 1; margin: 1.25rem 0 1.5rem; padding: 0; list-style: none }
  .plan li li, .plan ul li { padding: .3rem 0 .3rem 1.6rem; position: relative }
  .plan ul li::before { content: "✓"; position: absolute; left: 0; color: var(--accent); font-weight: 700 }
  .choose { padding: .7rem 1rem; border: 1px solid var(--accent); border-radius: .6rem; background: transparent; color: var(--accent); font: inherit; font-weight: 600; cursor: pointer }
  .featured .choose { background: var(--accent); color: var(--on-accent) }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
  #choice { min-height: 1.5rem; margin-top: 2rem; text-align: center }
</style>
</head>
<body>
<main>
  <header>
    <h1>One price, no surprises</h1>
    <p>Start free, and move up when your team does. Change or cancel whenever you like.</p>
    <div class="billing">
      <span id="monthly">Monthly</span>
      <button class="switch" type="button" role="switch" aria-checked="false" aria-label="Pay yearly"></button>
      <span>Yearly <span class="saving">save 20 %</span></span>
    </div>
  </header>
  <ul class="plans" id="plans"></ul>
  <p id="choice" role="status"></p>
</main>
<script>
  const plans = [
    { name: 'Starter', monthly: 0, features: ['One project', 'Up to 3 people', 'Answers by the community'] },
    { name: 'Team', monthly: 12, isFeatured: true, features: ['Unlimited projects', 'Up to 20 people', 'History of 90 days', 'Answers within a day'] },
    { name: 'Company', monthly: 32, features: ['Everything in Team', 'Single sign-on', 'Audit log', 'A person to call'] },
  ]
  const list = document.getElementById('plans')
  const toggle = document.querySelector('.switch')
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

  for (const plan of plans) {
    const item = document.createElement('li')
    item.className = plan.isFeatured ? 'plan featured' : 'plan'
    const features = plan.features.map((feature) => '<li>' + feature + '</li>').join('')
    item.innerHTML = '<h2>' + plan.name + (plan.isFeatured ? ' <span class="tag">Most chosen</span>' : '') + '</h2><p class="price"></p><p class="note"></p><ul>' + features + '</ul><button class="choose" type="button">Choose ' + plan.name + '</button>'
    item.querySelector('.choose').addEventListener('click', () => {
      document.getElementById('choice').textContent = plan.name + ', billed ' + (isYearly() ? 'yearly' : 'monthly') + ': good choice.'
    })
    plan.element = item
    list.append(item)
  }

  function isYearly() {
    return toggle.getAttribute('aria-checked') === 'true'
  }

  function showPrices() {
    for (const { element, monthly } of plans) {
      const price = isYearly() ? monthly * 12 * 0.8 : monthly
      element.querySelector('.price').innerHTML = money.format(price) + ' <small>per ' + (isYearly() ? 'year' : 'month') + '</small>'
      element.querySelector('.note').textContent = monthly === 0 ? 'Free for good' : isYearly() ? money.format(monthly * 0.8) + ' a month, billed once a year' : 'Billed every month'
    }
  }

  toggle.addEventListener('click', () => {
    toggle.setAttribute('aria-checked', String(!isYearly()))
    showPrices()
  })
  showPrices()
</script>
</body>
</html>
\`\`\`

Prices and features stand in one list at the top of the script, so they are easy to change.`

const REACT = `Here is the page as a React component with Tailwind classes:

\`\`\`tsx
import { useState } from 'react'
import { Check } from 'lucide-react'

interface Plan {
  name: string
  blurb: string
  monthly: number
  features: string[]
  isFeatured?: boolean
}

const plans: Plan[] = [
  { name: 'Hobby', blurb: 'For things you make on Sundays', monthly: 5, features: ['3 sites', 'Own domain', 'Weekly backups'] },
  { name: 'Studio', blurb: 'For people who do this for a living', monthly: 19, features: ['25 sites', 'Own domain', 'Daily backups', 'Previews for clients'], isFeatured: true },
  { name: 'Agency', blurb: 'For teams with many clients', monthly: 59, features: ['Unlimited sites', 'Hourly backups', 'White label', 'Phone support'] },
]

export default function PricingPage() {
  const [isYearly, setIsYearly] = useState(false)
  const priceOf = (plan: Plan): number => (isYearly ? plan.monthly * 10 : plan.monthly)

  return (
    <main className="min-h-screen bg-slate-50 px-6 py-16 text-slate-900">
      <div className="mx-auto max-w-5xl text-center">
        <h1 className="text-4xl font-bold tracking-tight">Pricing that grows with you</h1>
        <p className="mt-3 text-slate-600">Two months free when you pay for a year.</p>

        <div className="mt-8 inline-flex rounded-full bg-slate-200 p-1" role="group" aria-label="Billing period">
          {[false, true].map((yearly) => (
            <button
              key={String(yearly)}
              type="button"
              aria-pressed={isYearly === yearly}
              onClick={() => setIsYearly(yearly)}
              className={\`rounded-full px-5 py-2 text-sm font-medium \${isYearly === yearly ? 'bg-white shadow' : 'text-slate-700'}\`}
            >
              {yearly ? 'Yearly' : 'Monthly'}
            </button>
          ))}
        </div>

        <div className="mt-10 grid gap-6 text-left md:grid-cols-3">
          {plans.map((plan) => (
            <section key={plan.name} className={\`flex flex-col rounded-2xl border bg-white p-6 \${plan.isFeatured ? 'border-indigo-600 shadow-lg' : 'border-slate-200'}\`}>
              <h2 className="text-lg font-semibold">{plan.name}</h2>
              <p className="text-sm text-slate-600">{plan.blurb}</p>
              <p className="mt-4 text-4xl font-bold">
                \${priceOf(plan)}
                <span className="text-base font-normal text-slate-600"> / {isYearly ? 'year' : 'month'}</span>
              </p>
              <ul className="mt-6 flex-1 space-y-2 text-sm">
                {plan.features.map((feature) => (
                  <li key={feature} className="flex items-center gap-2">
                    <Check className="h-4 w-4 text-indigo-600" /> {feature}
                  </li>
                ))}
              </ul>
              <button type="button" className={\`mt-6 rounded-lg px-4 py-2 font-medium \${plan.isFeatured ? 'bg-indigo-600 text-white' : 'bg-slate-100 text-slate-900'}\`}>
                Get {plan.name}
              </button>
            </section>
          ))}
        </div>
      </div>
    </main>
  )
}
\`\`\``

const FAIR = `Sure! Here's a pricing page.

**index.html**

\`\`\`html
<!DOCTYPE html>
<html>
<head>
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <title>Pricing</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <h1>Pricing</h1>
  <div class="toggle">
    <span>Monthly</span>
    <input type="checkbox" id="toggle">
    <span>Yearly</span>
  </div>
  <div class="plans">
    <div class="plan"><h3>Basic</h3><p class="price" data-month="10" data-year="100">$10</p><p>1 user<br>10 GB storage</p><button>Buy</button></div>
    <div class="plan"><h3>Pro</h3><p class="price" data-month="20" data-year="200">$20</p><p>5 users<br>50 GB storage</p><button>Buy</button></div>
    <div class="plan"><h3>Premium</h3><p class="price" data-month="40" data-year="400">$40</p><p>20 users<br>200 GB storage</p><button>Buy</button></div>
  </div>
  <script src="script.js"></script>
</body>
</html>
\`\`\`

**style.css**

\`\`\`css
body { font-family: Arial, sans-serif; text-align: center; background: #f5f5f5; }
.plans { display: flex; justify-content: center; gap: 20px; }
.plan { background: white; border: 1px solid #ccc; padding: 20px; width: 220px; }
.price { font-size: 32px; color: #888; }
.plan button { background: #4a90e2; color: white; border: none; padding: 10px 20px; }
.toggle { margin: 20px; }
\`\`\`

**script.js**

\`\`\`js
document.getElementById('toggle').addEventListener('change', function () {
  document.querySelectorAll('.price').forEach((price) => {
    price.textContent = '$' + (this.checked ? price.dataset.year : price.dataset.month)
  })
})
\`\`\``

const POOR = `\`\`\`html
<html>
<body>
<center><font size="6">our prices</font></center>
<table width="1100" border="1">
<tr><td>basic</td><td>pro</td><td>enterprise</td></tr>
<tr><td id="a">$9</td><td id="b">$19</td><td id="c">$99</td></tr>
</table>
<div onclick="change()" style="color:#bbb">monthly/yearly</div>
<script>
function change() {
  document.getElementById('basic').innerHTML = '$90'
}
prices.forEach(function (p) { console.log(p) })
</script>
</body>
</html>
\`\`\``

export const pricingPages = { good: GOOD, react: REACT, fair: FAIR, poor: POOR }
