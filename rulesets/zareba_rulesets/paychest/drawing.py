def draw_board(*a): return None
