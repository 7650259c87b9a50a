"""Questions to statements: what a question's words mean in a database, as a program that is compiled, run and checked."""
