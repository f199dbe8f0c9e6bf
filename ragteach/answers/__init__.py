"""From passages to an answer that can be checked: prompt, citations, refusal, evaluation, diagnosis."""
