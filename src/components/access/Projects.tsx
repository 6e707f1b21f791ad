import { useState } from 'react'
import { formatCost } from '../../report/words/index.ts'
import type { TeamView } from '../../server/access/team-routes.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Panel, Section } from '../ui/Page.tsx'
import { BudgetField } from './BudgetField.tsx'
import { useSaveTeam } from './use-save-team.ts'

function AddProject() {
  const [name, setName] = useState('')
  const [amount, setAmount] = useState('')
  const add = useSaveTeam(
    () => readReply(api.team.budgets.$put({ json: { owner: { kind: 'project', id: name }, monthly: Number(amount) } })),
    () => `${name} may spend $${amount} a month.`,
  )
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate(undefined, {
          onSuccess: () => {
            setName('')
            setAmount('')
          },
        })
      }}
    >
      <TextField
        label="Project"
        className="flex-1 basis-56"
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Monthly budget, $"
        className="w-32"
        type="number"
        min={0}
        step="any"
        required
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
      <Button type="submit" disabled={add.isPending}>
        Set budget
      </Button>
    </form>
  )
}

/** Projects that pay for runs: named when a run is started. */
export function Projects({ team }: { team: TeamView }) {
  return (
    <Section title="Projects" aside="A run names the project that pays for it.">
      <AddProject />
      {team.projects.length > 0 && (
        <Panel>
          <ul className="divide-y divide-line">
            {team.projects.map(({ name, spent, monthly }) => (
              <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
                <span className="min-w-0 flex-1 basis-40 break-words">{name}</span>
                <span className="text-muted tabular-nums">{formatCost(spent)} this month</span>
                <BudgetField owner={{ kind: 'project', id: name }} name={name} monthly={monthly} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </Section>
  )
}
