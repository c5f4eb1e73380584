def event_sentence(plan, event): return ""
def option_phrase(b,q,o): return str(o)
def question_sentence(b,q): return q.why
